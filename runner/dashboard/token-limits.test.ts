import { expect, test } from "vitest";
import { runnerScene } from "../../test/runners/runner-scene.ts";

const scene = runnerScene({ moves: false });

test("a runner that its token does not allow ends with the dashboard's sentence", async () => {
	const detail =
		"This runner token is for 3 runners, which all have signed in. Remove a runner that is no longer needed, or create another token with Runners → Add runner.";
	const body = JSON.stringify({ code: "token_limit", detail });
	scene.dashboard.refusal = { status: 409, type: "application/problem+json", body };
	const runner = scene.launch();
	expect(await runner.exited).toBe(1);
	expect(runner.output().trim().split("\n").at(-1)).toContain(`${detail.slice(0, -1)}; then start the runner again.`);
});
