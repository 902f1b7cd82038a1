import { expect, test } from "vitest";
import { probe } from "#test/runners/runner-process.ts";
import { runnerScene } from "#test/runners/runner-scene.ts";

const scene = runnerScene();

test("a runner whose token is revoked while recording logs it, exits 1, and delivers everything once the token works again", async () => {
	const runner = await scene.start();
	const job = scene.interrupt();
	await scene.status(job, "recording");
	const { token } = scene.dashboard;
	scene.dashboard.token = "another-token";
	expect(await runner.exited).toBe(1);
	const errors = runner
		.output()
		.split("\n")
		.filter((line) => line.includes("error: "));
	expect(errors).toHaveLength(1);
	expect(errors[0]).toMatch(/refused the runner token.*kept in its data directory; .*TAPEDECK_TOKEN/);
	expect(await scene.ffmpegs()).toEqual([]);

	scene.dashboard.token = token;
	await scene.start();
	await scene.status(job, "completed");
	expect(scene.reasonOf(job)).toBe("runner_shutdown");
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({ faults: "" });
	await scene.spoolEmpty();
});
