import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "../api-server.ts";
import { FakeDashboard } from "./fake-dashboard.ts";

const REPORTS = [
	{ type: "recording", width: 640, height: 360 },
	{ type: "stopped", stopReason: "duration_elapsed" },
	{ type: "stopped", stopReason: "display_lost", message: "It is gone." },
	{ type: "failed", code: "ffmpeg_failed", message: "It failed." },
	{ type: "cancelled" },
	{ type: "note", event: "capture_resumed", message: "It went on." },
];
/** Every order of three reports, whether or not a runner would send them so. */
const SEQUENCES = REPORTS.flatMap((first) =>
	REPORTS.flatMap((second) => REPORTS.map((third) => [first, second, third])),
);

let api: TestApi;
let fake: FakeDashboard;
beforeAll(async () => {
	[api, fake] = await Promise.all([startTestApi(), FakeDashboard.start()]);
	fake.token = TEST_RUNNER_TOKEN;
});
afterAll(async () => {
	await fake.stop();
	await api.stop();
});

/** Takes all jobs and reports a sequence for each. @returns the status that the dashboard answers after each report. */
async function statuses(url: string): Promise<(string | null)[][]> {
	const post = async (path: string, body: object) => {
		const headers = { authorization: `Bearer ${TEST_RUNNER_TOKEN}`, "content-type": "application/json" };
		const answer = await fetch(`${url}/v1/runner/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
		expect(answer.status).toBe(200);
		return answer.json();
	};
	const who = { name: "box", version: "test", instanceId: "instance-box", displays: [] };
	const { sessionId } = await post("sign-in", who);
	const { start } = await post("sync", { sessionId, jobs: [], waitSeconds: 0 });
	expect(start).toHaveLength(SEQUENCES.length);
	const answered: string[][] = SEQUENCES.map(() => []);
	for (const step of [0, 1, 2]) {
		const at = new Date().toISOString();
		const jobs = SEQUENCES.map((sequence, index) => {
			const { id: jobId, key: jobKey } = start[index];
			return { ...sequence[step], jobId, jobKey, seq: step + 1, at };
		});
		for (let from = 0; from < jobs.length; from += 200) {
			const answer = await post("reports", { sessionId, sentAt: at, jobs: jobs.slice(from, from + 200) });
			for (const [index, job] of answer.jobs.entries()) answered[from + index]?.push(job.status);
		}
	}
	return answered;
}

test("the fake dashboard moves jobs as the real one does, whatever a runner reports", async () => {
	const { runnerId } = await api.signIn("box");
	for (const _sequence of SEQUENCES) {
		const rule = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
		fake.order(":99", rule);
		await api.call("POST", "/v1/jobs", { body: { runnerId, displayId: ":99", ...rule } });
	}
	const [real, faked] = [await statuses(api.url), await statuses(fake.url)];
	const described = (all: (string | null)[][]) =>
		all.map((each, index) => `${SEQUENCES[index]?.map(({ type }) => type).join(", ")}: ${each.join(", ")}`);
	expect(described(faked)).toEqual(described(real));
});
