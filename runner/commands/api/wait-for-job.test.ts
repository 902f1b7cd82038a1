/** `tapedeck jobs wait` among many that wait. */
import { expect, onTestFinished, test } from "vitest";
import { tapedeck } from "../../../test/processes/tapedeck-command.ts";
import { startReplayServer, VECTOR_KEY } from "../../../test/vectors/replay-server.ts";

test("goes on when too many calls of the key wait already, without saying that the dashboard is away", async () => {
	const request = { method: "GET", path: "/v1/jobs/7", query: { waitFor: "ended", timeoutSeconds: "60" } };
	const refused = {
		status: 429,
		headers: { "content-type": "application/problem+json", "retry-after": "0" },
		body: { code: "too_many_requests", detail: "Too many.", requestId: "r-1" },
	};
	const job = {
		...{ id: 7, name: "Checkout", status: "completed", displayId: ":99", runnerId: 1, labels: {} },
		...{ createdAt: "2026-11-21T01:12:00.000Z", startedAt: "2026-11-21T01:12:00.000Z" },
		...{ recording: null, error: null, outcome: null, stopReason: null },
	};
	const server = await startReplayServer([
		...Array.from({ length: 5 }, () => ({ request, response: refused })),
		{ request, response: { status: 200, body: job } },
	]);
	onTestFinished(() => server.stop());
	const env = { TAPEDECK_URL: server.url, TAPEDECK_API_KEY: VECTOR_KEY };
	const answer = await tapedeck(["jobs", "wait", "7", "--for", "ended", "--json"], env);
	// There is no remark that the dashboard is away.
	expect(answer.data()).toEqual(job);
	expect(answer.status).toBe(0);
	expect(server.complaints()).toEqual([]);
});
