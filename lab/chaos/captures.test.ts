import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Child, startChild } from "#test/processes/child.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { until } from "#test/wait.ts";
import { capturesOf } from "./captures.ts";

let dataDir: string;
let ffmpegs: Child[] = [];
beforeEach(async () => {
	dataDir = await temporaryFolder("captures");
});
afterEach(async () => {
	for (const ffmpeg of ffmpegs) await ffmpeg.stop();
	ffmpegs = [];
});

/** A process with the command line of an ffmpeg that records into that folder of the spool. */
async function startFfmpeg(folder: string, manifest: object): Promise<void> {
	const path = join(dataDir, "jobs", folder);
	await mkdir(path, { recursive: true });
	await writeFile(join(path, "manifest.json"), JSON.stringify(manifest));
	await writeFile(join(path, "part-1.mp4"), "video");
	const words = ["-e", "setInterval(() => {}, 1000)", "x11grab", join(path, "part-1.mp4")];
	ffmpegs.push(startChild(process.execPath, words));
}

test.each([
	["a job of the dashboard", "job-7", 7],
	["a job whose number another dashboard has used too", "job-7-2", 7],
	["auto-record", "auto-record-a-key", { name: "by itself", takenAt: "2026-11-20T10:00:00.000Z" }],
	["`tapedeck record`", "command-a-key", { name: "by itself", takenAt: "2026-11-20T10:00:00.000Z" }],
])("the ffmpeg of %s is found with its job", async (_origin, folder, job) => {
	await startFfmpeg(folder, { name: "by itself", takenAt: "2026-11-20T10:00:00.000Z" });
	const [capture] = await until(() => {
		const captures = capturesOf(dataDir);
		return captures.length > 0 ? captures : null;
	}, "the ffmpeg is found");
	expect(capture).toEqual({ pid: ffmpegs[0]?.process.pid, job, bytes: 5 });
});
