/** The runner's disk becomes unreadable: recordings end properly and arrive once it is readable again. */

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFailedReason } from "@tapedeck/contract/job-status.ts";
import { beforeEach, expect, test } from "vitest";
import { inExplore } from "../../test/in-explore.ts";
import { withDiskFaults } from "../../test/processes/disk-faults.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
const { interrupt, status, reasonOf, ffmpegs, spoolEmpty } = scene;

const switchFile = () => join(scene.folder, "the disk is broken");
const breakDisk = () => writeFile(switchFile(), "");
const repairDisk = () => rm(switchFile());
const deliveryRules = { unreadableMs: 3_000, maxRetryMs: 1_000 };
const start = () => scene.start({ env: withDiskFaults(switchFile()), deliveryRules });

const uploading = (job: FakeJob) =>
	until(
		() => job.uploadId,
		() => `bytes arrive:\n${scene.runner.output()}`,
	);
const stopped = (job: FakeJob) =>
	until(
		() => job.reports.find((report) => report.type === "stopped"),
		() => `the end is reported:\n${scene.runner.output()}`,
		40_000,
	);
/** Expects everything to arrive once the disk works again, and nothing to be left in the spool. */
async function arrives(job: FakeJob): Promise<void> {
	const reason = reasonOf(job);
	await status(job, reason !== undefined && isFailedReason(reason) ? "failed" : "completed");
	const video = await probe(await scene.dashboard.video(job));
	expect(video.faults).toBe("");
	const first = job.reports.find(({ type }) => type === "recording")?.at ?? "";
	const last = job.reports.find(({ type }) => type === "stopped")?.at ?? "";
	// At least the reported frames: the rest of the file may not have been read before the error.
	expect(video.durationSeconds).toBeGreaterThan((Date.parse(last) - Date.parse(first)) / 1_000 - 0.2);
	await spoolEmpty();
}

beforeEach(async () => {
	await start();
});

test("a disk that is briefly unreadable costs nothing", async () => {
	const job = interrupt();
	await uploading(job);
	await breakDisk();
	await scene.runner.says("EIO");
	await repairDisk();
	scene.dashboard.cancel(job);
	await stopped(job);
	expect(reasonOf(job)).toBe("cancelled");
	await arrives(job);
});

inExplore(test)(
	"a disk that stays unreadable ends the recording with a reason, and the job stays listed until it is delivered",
	async () => {
		const job = interrupt();
		await uploading(job);
		await breakDisk();
		const { stopReason, message } = await stopped(job);
		expect(stopReason).toBe("ffmpeg_failed");
		expect(message).toContain("EIO");
		await until(async () => (await ffmpegs()).length === 0, "ffmpeg has ended");
		scene.dashboard.listed = [];
		await until(() => scene.dashboard.listed.includes(job.order.id), "the job is listed");
		await repairDisk();
		await arrives(job);
	},
);

inExplore(test)("a job whose disk is unreadable can be cancelled, and its runner accepts new jobs", async () => {
	const job = interrupt();
	await uploading(job);
	await breakDisk();
	scene.dashboard.cancel(job);
	await until(async () => (await ffmpegs()).length === 0, "ffmpeg has ended");
	await stopped(job);
	expect(reasonOf(job)).toBe("cancelled");
	expect(job.status).toBe("uploading");
	await repairDisk();
	await arrives(job);
	await status(scene.duration(1), "completed");
});

inExplore(test)(
	"a runner that starts with an unreadable disk ends running captures and delivers them later",
	async () => {
		const job = interrupt();
		await uploading(job);
		await scene.kill();
		await breakDisk();
		expect(await ffmpegs()).toHaveLength(1);
		await start();
		await stopped(job);
		await until(async () => (await ffmpegs()).length === 0, "ffmpeg has ended");
		await repairDisk();
		await arrives(job);
	},
);
