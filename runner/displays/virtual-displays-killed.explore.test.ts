/** Displays that a runner made for jobs, when their Xvfb or the runner is killed. */
import { mkdir, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { probe, processesWith } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene({ display: null });

/** Starts a runner whose displays keep their authority in the scene's folder, by which their processes are found. */
async function start(env: Record<string, string> = {}): Promise<void> {
	const temporary = join(scene.folder, "tmp");
	await mkdir(temporary, { recursive: true });
	await scene.start({ env: { TAPEDECK_VIRTUAL_DISPLAYS: "2", TMPDIR: temporary, ...env } });
}
const order = (): FakeJob => scene.dashboard.order("new", { stopCondition: "interrupt", stopConditionConfig: {} });
async function displayServers(): Promise<number[]> {
	const found: number[] = [];
	for (const pid of await processesWith(join(scene.folder, "tmp"))) {
		// It may have ended since it was found.
		const program = await readlink(`/proc/${pid}/exe`).catch(() => "");
		if (program.endsWith("/Xvfb")) found.push(pid);
	}
	return found;
}
const authorities = (): Promise<string[]> => readdir(join(scene.folder, "tmp"));

test("a display whose Xvfb is killed ends its recording, which plays, and makes room for the next", async () => {
	await start({ TAPEDECK_VIRTUAL_DISPLAYS: "1" });
	const job = order();
	await scene.status(job, "recording");
	for (const pid of await displayServers()) process.kill(pid, "SIGKILL");
	await scene.status(job, "failed");
	expect(scene.reasonOf(job)).toBe("display_lost");
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
	await scene.status(order(), "recording");
});

test("a runner that is killed leaves no display behind, and its next start ends the recording", async () => {
	await start();
	const job = order();
	await scene.status(job, "recording");
	await scene.kill();
	await until(async () => (await displayServers()).length === 0, "its display is gone", 30_000);
	await until(async () => (await authorities()).length === 0, "its cookie is gone", 30_000);
	await start();
	await scene.status(job, "failed");
	const stopped = job.reports.find((report) => report.type === "stopped");
	expect(stopped).toMatchObject({
		stopReason: "display_lost",
		message: expect.stringContaining("ended with the runner that made it"),
	});
});
