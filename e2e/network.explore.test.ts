/** Two minutes of every fault that a network has, in the middle of a recording. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodedFrames, interrupt, openScene, type Scene, storedVideos } from "#test/runners/fault-scene.ts";
import { startTcpProxy, type TcpProxy } from "#test/servers/tcp-proxy.ts";
import { pause, until } from "#test/wait.ts";

let scene: Scene;
let network: TcpProxy;

beforeAll(async () => {
	scene = await openScene();
	network = await startTcpProxy(scene.dashboard.url);
});
afterAll(async () => {
	await scene?.stop();
	await network?.stop();
});

/** Repeats an action for a while. */
async function repeat(everyMs: number, forMs: number, act: (turn: number) => void): Promise<void> {
	for (let turn = 0; turn * everyMs < forMs; turn++) {
		act(turn);
		await pause(everyMs);
	}
}

test("a network that resets, half-closes, stalls and drops for two minutes: nothing is lost, a cancel is obeyed on reconnect", async () => {
	const runner = await scene.addRunner("remote", { url: network.url });
	const id = await runner.order(interrupt);
	await scene.status(id, "recording");
	await pause(1_000);
	const kept = await runner.keepSpooled(id);
	const since = performance.now();

	const made = network.connections;
	await repeat(700, 25_000, () => network.reset());
	await repeat(1_500, 25_000, (turn) => network.halfClose(turn % 2 === 0 ? "client" : "server"));
	expect(network.connections - made).toBeGreaterThan(30);
	expect(await scene.history(id)).not.toContain("runner_lost");
	network.stall();
	// Together with the pauses between attempts before and after, less than the lease of 30 s.
	await pause(18_000);
	network.resume();
	await pause(5_000);
	expect(await scene.history(id)).not.toContain("runner_lost");
	network.drop();
	// Longer than the lease: the job is lost, and resumed later.
	await scene.status(id, "failed", 45_000);
	expect((await scene.dashboard.api.readJob(id)).stopReason).toBe("runner_lost");
	expect((await scene.dashboard.api.cancelJob(id)).cancelRequestedAt).not.toBeNull();
	await pause(Math.max(0, since + 120_000 - performance.now()));
	expect(await runner.encoders()).toHaveLength(1);
	network.resume();
	const reconnectedAt = performance.now();

	const job = await scene.status(id, "completed");
	expect(job).toMatchObject({ stopReason: "cancelled", error: null });
	expect(await scene.history(id)).toEqual(expect.arrayContaining(["runner_lost", "runner_returned"]));
	expect(job.recording?.durationSeconds).toBeGreaterThan((reconnectedAt - since) / 1_000);
	const video = await scene.video(job);
	expect(video.faults).toBe("");
	expect(Math.abs(video.durationSeconds - (job.recording?.durationSeconds ?? 0))).toBeLessThan(0.1);
	expect(await storedVideos(scene.dashboard)).toEqual([await encodedFrames(kept)]);
	await until(async () => (await readdir(join(runner.dataDir, "jobs"))).length === 0, "the spool is empty");
});
