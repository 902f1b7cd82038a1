import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jobSpool } from "#test/runners/job-spool.ts";
import { type Begun, beginCapture, type CaptureTools } from "./begin-capture.ts";

const spool = jobSpool();
const display = { id: ":7", width: 64, height: 48, xName: ":7.0" };
const tools = {
	config: { ffmpeg: "/bin/false", childEnv: {} },
	displays: { waitFor: async () => display, isBgrx: () => true },
} as unknown as CaptureTools;
const begin = (): Promise<Begun | null> =>
	beginCapture(tools, spool(), {
		...{ part: 1, frames: null, fit: null, displayWaitMs: 0 },
		stop: new AbortController().signal,
	});
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
