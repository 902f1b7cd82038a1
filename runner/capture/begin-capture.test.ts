import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { expect, test } from "vitest";
import { jobSpool } from "../../test/runners/job-spool.ts";
import { wallClock } from "../base/clock.ts";
import type { Part } from "../spool/spool.ts";
import { type Begun, beginCapture, type CaptureTools } from "./begin-capture.ts";

const spool = jobSpool();
const display = { id: ":7", width: 64, height: 48, xName: ":7.0" };
const tools = {
	config: { ffmpeg: "/bin/false", childEnv: {} },
	displays: { waitFor: async () => display, isBgrx: () => true },
} as unknown as CaptureTools;
const begin = (part = 1, ffmpeg = "/bin/false"): Promise<Begun | null> =>
	beginCapture({ ...tools, config: { ...tools.config, ffmpeg } }, spool(), {
		...{ part, frames: null, window: null, displayWaitMs: 0 },
		stop: new AbortController().signal,
	});
/** A first part that was captured. */
const PART: Part = {
	...{ part: 1, firstFrameAt: Date.now(), startFrames: 0, endFrames: null, reported: true, clock: wallClock() },
	...{ x: 0, y: 0, width: 64, height: 48, xName: ":7.0", isPrivate: false },
};
/** The temporary file of the manifest, before it is renamed. */
const inTheWay = (): string => join(spool().folder, "manifest.json.new");

test("ffmpeg is not started before the manifest on disk has its part", async () => {
	await mkdir(inTheWay());
	expect(await begin()).toMatchObject({
		fault: { code: "ffmpeg_failed", what: expect.stringContaining("EISDIR") },
	});
	expect(await readdir(spool().folder)).not.toContain("part-1.log");
});

test("a manifest that could not be saved earlier does not prevent a start now", async () => {
	await mkdir(inTheWay());
	await spool().update(() => undefined);
	expect(spool().saveError).not.toBeNull();
	await rm(inTheWay(), { recursive: true });
	expect(await begin()).toMatchObject({ fault: { what: expect.stringContaining("status 1") } });
	expect(spool().saveError).toBeNull();
});

test("a failed attempt leaves no part in the manifest", async () => {
	expect(await begin()).toMatchObject({ fault: { code: "ffmpeg_failed" } });
	expect(spool().manifest.parts).toEqual([]);
});

test("a job whose ffmpeg refuses to record fails with ffmpeg's own last line", async () => {
	const program = join(spool().folder, "ffmpeg");
	await writeFile(program, '#!/bin/sh\necho "[vost#0:0 @ 0x1] This is contradictory." >&2\nexit 234\n', {
		mode: 0o755,
	});
	expect(await begin(1, program)).toMatchObject({
		fault: { code: "ffmpeg_failed", what: "ffmpeg ended unexpectedly (status 234): This is contradictory." },
	});
});

test("all parts are encoded as the recording says, whatever a restarted runner is configured to do", async () => {
	await spool().update((manifest) => {
		manifest.video = videoFormat({ preset: "sharp", cursor: false, framesPerSecond: 30 });
		manifest.parts = [PART];
	});
	const [program, words] = [join(spool().folder, "ffmpeg"), join(spool().folder, "words")];
	await writeFile(program, `#!/bin/sh\nprintf "%s " "$@" > "${words}"\nexit 1\n`, { mode: 0o755 });
	await begin(2, program);
	const started = await readFile(words, "utf8");
	expect(started).toContain("-draw_mouse 0 -framerate 30");
	expect(started).toContain("-crf 19");
});
