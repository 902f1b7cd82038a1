import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type VideoOptions, videoOptionsSchema } from "@tapedeck/contract/video-options.ts";
import { expect, test } from "vitest";
import { jobSpool } from "../../test/runners/job-spool.ts";
import { wallClock } from "../base/clock.ts";
import type { Part } from "../spool/spool.ts";
import { type Begun, beginCapture, type CaptureTools } from "./begin-capture.ts";

const spool = jobSpool();
const display = { id: ":7", width: 64, height: 48, xName: ":7.0" };
const tools = {
	config: { ffmpeg: "/bin/false", childEnv: {}, video: videoOptionsSchema.parse({}) },
	displays: { waitFor: async () => display, isBgrx: () => true },
} as unknown as CaptureTools;
const begin = (part = 1, options: Partial<VideoOptions> = {}): Promise<Begun | null> => {
	const config = { ...tools.config, video: videoOptionsSchema.parse(options) };
	return beginCapture({ ...tools, config }, spool(), {
		...{ part, frames: null, fit: null, displayWaitMs: 0 },
		stop: new AbortController().signal,
	});
};
/** A first part that was captured. */
const PART: Part = {
	...{ part: 1, firstFrameAt: Date.now(), startFrames: 0, endFrames: null, reported: true, clock: wallClock() },
	...{ width: 64, height: 48, xName: ":7.0" },
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

test("all parts are encoded as the first one was, whatever a restarted runner is configured to do", async () => {
	await begin(1, { preset: "sharp", cursor: false });
	await spool().update((manifest) => {
		manifest.parts = [PART];
	});
	await begin(2, { preset: "small" });
	expect(spool().manifest.video).toMatchObject({ preset: "sharp", cursor: false });
});
