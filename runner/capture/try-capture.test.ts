import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { tryCapture } from "./try-capture.ts";

const SIZE = { width: 640, height: 360 };
let display: VirtualDisplay;
let folder: string;
beforeAll(async () => {
	display = await startXvfb(SIZE);
	folder = await mkdtemp(join(tmpdir(), "tapedeck-try-"));
	vi.stubEnv("TMPDIR", folder);
});
afterAll(async () => {
	vi.unstubAllEnvs();
	await display.stop();
	await rm(folder, { recursive: true });
});

const tryIt = (program: string, video = videoFormat({})) =>
	tryCapture({ id: display.id, xName: `${display.id}.0`, ...SIZE, isBgrx: true }, { program, env: process.env, video });

/** A program in ffmpeg's place. */
async function standIn(name: string, script: string): Promise<string> {
	const program = join(folder, name);
	await writeFile(program, `#!/bin/sh\n${script}\n`);
	await chmod(program, 0o755);
	return program;
}

test("a display that can be recorded has no fault, although it never changes", async () => {
	expect(await tryIt(requireProgram("ffmpeg"))).toBeNull();
	expect((await readdir(folder)).filter((name) => name.startsWith("tapedeck-doctor-"))).toEqual([]);
});

test("an ffmpeg that refuses the arguments of recordings is a fault with its last line", async () => {
	// As ffmpeg 7.1 refused them: the display and the encoder work, but not with these options together.
	const refusing = await standIn(
		"refusing",
		`case "$*" in *-dts_error_threshold*) echo "[vost#0:0 @ 0x1] This is contradictory." >&2; exit 234;; esac; exec "${requireProgram("ffmpeg")}" "$@"`,
	);
	const fault = await tryIt(refusing);
	expect(fault?.what).toBe("ffmpeg ended unexpectedly (status 234): This is contradictory.");
});

test("a display whose frames come too late is a fault with their rate, although it never changes", async () => {
	// Simulates a machine that cannot capture more frames of such a display.
	const slow = await standIn(
		"slow",
		`begun=; for word in "$@"; do
	[ -z "$begun" ] && set -- && begun=1
	[ "$before" = -framerate ] && word=0.7
	set -- "$@" "$word"
	before=$word
done
exec "${requireProgram("ffmpeg")}" "$@"`,
	);
	const fault = await tryIt(slow);
	expect(fault?.what).toMatch(/^Recording display :\d+ \(640x360\) is too slow: 0\.\d frames a second$/);
	expect(fault?.remedy).toContain("a smaller display");
});

test("a region that is not on the display is a fault", async () => {
	const region = { x: 600, y: 0, width: 100, height: 100 };
	const fault = await tryIt(requireProgram("ffmpeg"), videoFormat({ region }));
	expect(fault).toMatchObject({ code: "display_unavailable", what: expect.stringContaining("is not on display") });
});
