/** The runner's disk fills up: a small disk of its own where the tests run as root, otherwise a limit on file sizes. */
import { execFile } from "node:child_process";
import { chmod, mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { newFolder, probe, removeFolder, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const run = promisify(execFile);
const KIB = 1_500;
const isRoot = process.getuid?.() === 0;

const scene = runnerScene();
const { interrupt, duration, status } = scene;
let disk: string;
let dataDir: string;

beforeAll(async () => {
	disk = await newFolder();
	dataDir = join(disk, "data");
	await mkdir(dataDir);
	if (isRoot) await run("mount", ["-t", "tmpfs", "-o", `size=${KIB}k`, "tmpfs", dataDir]);
});
afterAll(async () => {
	if (isRoot) await run("umount", [dataDir]);
	await removeFolder(disk);
});

/** An ffmpeg with a limited file size. */
async function limitedFfmpeg(): Promise<string> {
	const program = join(scene.folder, "limited-ffmpeg");
	await writeFile(program, `#!/bin/sh\ntrap "" XFSZ\nulimit -f ${KIB * 2}\nexec ffmpeg "$@"\n`);
	await chmod(program, 0o755);
	return program;
}

test.runIf(isRoot)("a runner whose disk cannot hold its buffer ends, and says why, as doctor does", async () => {
	const env = { TAPEDECK_BUFFER: "2m" };
	const runner = scene.launch({ dataDir, env });
	expect(await runner.exited).not.toBe(0);
	expect(runner.output()).toMatch(
		/A buffer of 120 s does not fit on the disk of the data directory: .*; set TAPEDECK_BUFFER to less/,
	);
	const { status: exit, text } = await tapedeck(["doctor", "--json"], { ...env, TAPEDECK_DATA_DIR: dataDir });
	expect(exit).toBe(1);
	const findings: { check: string; level: string }[] = JSON.parse(text).findings;
	expect(findings.filter(({ check }) => check === "buffer")).toMatchObject([{ level: "failure" }]);
});

test("a full disk ends the recording as storage_full, and all captured video arrives and plays", async () => {
	const env: Record<string, string> = isRoot ? {} : { TAPEDECK_FFMPEG: await limitedFfmpeg() };
	const runner = await scene.start({ dataDir, env });
	const job = interrupt();
	const stopped = await until(
		() => job.reports.find((report) => report.type === "stopped"),
		() => `the end of the recording:\n${runner.output()}`,
		90_000,
	);
	expect(stopped.stopReason).toBe("storage_full");
	expect(stopped.message).toContain("free some space");
	await until(
		() => job.uploadComplete,
		() => runner.output(),
	);
	const video = await probe(await scene.dashboard.video(job));
	expect(video.faults).toBe("");
	const firstFrameAt = Date.parse(job.reports.find(({ type }) => type === "recording")?.at ?? "");
	// Only frames that no longer fit on the disk are missing.
	expect(Math.abs((Date.parse(stopped.at) - firstFrameAt) / 1_000 - video.durationSeconds)).toBeLessThan(0.2);
	expect(video.durationSeconds).toBeGreaterThan(2);
	await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");

	// Once there is free space again, the next job records.
	await status(duration(1), "completed");
});

test("a disk that fills up before the first frame fails the job as storage_full, however little space is left", async () => {
	if (!isRoot) throw new Error("Run this test as root: it fills a small disk of its own.");
	const runner = await scene.start({ dataDir });
	const filler = join(dataDir, "filler");
	for (const pages of [0, 1, 2, 3, 4]) {
		const { bavail, bsize } = await statfs(dataDir);
		await writeFile(filler, Buffer.alloc(Math.max(0, bavail - pages) * bsize));
		const job = interrupt();
		const end = await until(
			() => job.reports.find(({ type }) => type === "failed" || type === "stopped"),
			() => `the end with ${pages} pages of room:\n${runner.output()}`,
		);
		expect(end.type === "failed" ? end.code : end.type === "stopped" && end.stopReason).toBe("storage_full");
		await rm(filler);
		await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");
	}
});
