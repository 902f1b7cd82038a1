/** A disk that becomes unreadable, with the real time that the runner waits. Other tests shorten it. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withDiskFaults } from "../../test/processes/disk-faults.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();

test("with the real time of 10 s, a disk that stays unreadable ends the recording after 10 s at the earliest", async () => {
	const switchFile = join(scene.folder, "the disk is broken");
	await scene.start({ env: withDiskFaults(switchFile) });
	const job = scene.interrupt();
	await until(() => job.uploadId, "bytes arrive");
	await writeFile(switchFile, "");
	const brokenAt = performance.now();
	await until(async () => (await scene.ffmpegs()).length === 0, "ffmpeg has ended", 40_000);
	const tookMs = performance.now() - brokenAt;
	expect(tookMs).toBeGreaterThan(9_500);
	// The next attempt notices it, up to 10 s later, and ffmpeg has 5 s to end.
	expect(tookMs).toBeLessThan(27_000);
	await rm(switchFile);
	await scene.status(job, "failed");
	await scene.spoolEmpty();
});
