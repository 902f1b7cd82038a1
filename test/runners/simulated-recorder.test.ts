import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN } from "../api-server.ts";
import { startTcpProxy } from "../servers/tcp-proxy.ts";
import { makeVideo, removeTestFolder } from "../videos/make-video.ts";
import { readPieces } from "../videos/read-pieces.ts";
import { until } from "../wait.ts";
import { SimulatedRecorder } from "./simulated-recorder.ts";

const RESET_MS = 170;
/** Then it has to get through, however slow the machine is. */
const RESETS = 25;

afterAll(removeTestFolder);

test("a simulated runner delivers every byte and ends its job, although its connections are reset again and again", async () => {
	const [api, pieces] = [await startTestApi(), readPieces(await makeVideo("recorder.mp4"))];
	const proxy = await startTcpProxy(api.url);
	const runner = new SimulatedRecorder({ url: proxy.url, runnerToken: TEST_RUNNER_TOKEN }, "simulated", pieces);
	try {
		await runner.start();
		const body = { runnerId: runner.runnerId, displayId: ":99", stopCondition: "interrupt" };
		const { id } = (await api.call("POST", "/v1/jobs", { body })).body;
		let left = RESETS;
		const resets = setInterval(() => {
			if (left-- > 0) proxy.reset();
		}, RESET_MS);
		const job: Job = await until(
			async () => {
				const { body } = await api.call("GET", `/v1/jobs/${id}`);
				return body.endedAt === null ? null : body;
			},
			"the job has ended",
			45_000,
		).finally(() => clearInterval(resets));
		expect(job).toMatchObject({ status: "completed", stopReason: "duration_elapsed", recording: { state: "ready" } });
		const stored = await readFile(join(api.dataDir, "videos", `job-${id}`));
		expect(stored.equals(Buffer.concat(pieces))).toBe(true);
	} finally {
		await runner.stop();
		await proxy.stop();
		await api.stop();
	}
});
