import { afterEach, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { readEnv } from "./env.ts";

let api: TestApi;
afterEach(() => api.stop());

test("a key over its rate limit gets 429 with the time to wait, and every response before says how many calls are left", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_CALLS: "3", TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	for (const left of [2, 1, 0]) {
		const { status, headers } = await api.call("GET", "/v1/runners");
		expect(status).toBe(200);
		expect(headers.get("ratelimit-policy")).toBe('"caller";q=3;w=60');
		expect(headers.get("ratelimit")).toMatch(new RegExp(`^"caller";r=${left};t=\\d+$`));
	}
	const refused = await api.call("POST", "/v1/jobs", { body: {} });
	expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(refused.headers.get("ratelimit")).toMatch(/^"caller";r=0;t=\d+$/);
	expect((await api.call("GET", "/v1/recordings/1/video")).status).toBe(404);
	// Runners are exempt: a refused call could lose a recording.
	for (let call = 0; call < 5; call++) {
		expect((await api.call("GET", "/v1/runner", { token: TEST_RUNNER_TOKEN })).status).not.toBe(429);
	}
});

test("an address that guesses keys is refused, while callers with a valid key are not", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	for (const token of ["wrong", null]) expect((await api.call("GET", "/v1/jobs", { token })).status).toBe(401);
	const refused = await api.call("GET", "/v1/jobs", { token: "another" });
	expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
	expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
	expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
	expect((await api.call("GET", "/v1/health", { token: null })).status).toBe(200);
});

test("an expired key, a revoked key and a key of another organization count as unauthenticated", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	const refusedAfterTwo = async (path: string, status: number) => {
		const found = [];
		for (let call = 0; call < 3; call++) found.push((await api.call("GET", path)).status);
		expect(found).toEqual([status, status, 429]);
	};
	const restart = async () => {
		await api.stop();
		api = await startTestApi({ TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "2" });
	};
	await refusedAfterTwo("/v1/jobs?organizationId=999", 403);
	await restart();
	await api.app.db.updateTable("apiKey").set({ expiresAt: 1 }).execute();
	await refusedAfterTwo("/v1/jobs", 401);
	await restart();
	await api.app.db.updateTable("apiKey").set({ revokedAt: 1 }).execute();
	await refusedAfterTwo("/v1/recordings/1/video", 401);
});

test("a caller can hold open only as many streams as the limit allows, and closing one frees its place", async () => {
	api = await startTestApi({ TAPEDECK_LIMIT_STREAMS: "2" });
	const closing: (() => void)[] = [];
	const open = async () => {
		const controller = new AbortController();
		const headers = { authorization: "Bearer tdk_test_0123456789abcdef" };
		const response = await fetch(`${api.url}/v1/events`, { headers, signal: controller.signal });
		closing.push(() => controller.abort());
		return { status: response.status, close: () => controller.abort() };
	};
	const first = await open();
	expect([first.status, (await open()).status, (await open()).status]).toEqual([200, 200, 429]);
	first.close();
	await expect.poll(async () => (await open()).status, { timeout: 5_000 }).toBe(200);
	for (const close of closing) close();
});

test("0 disables a limit", async () => {
	api = await startTestApi({
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "0",
		TAPEDECK_LIMIT_STREAMS: "0",
	});
	for (let call = 0; call < 5; call++) {
		const { status, headers } = await api.call("GET", "/v1/runners");
		expect([status, headers.get("ratelimit")]).toEqual([200, null]);
	}
});

test("the limit for unauthenticated calls is also read from its old name", () => {
	expect(readEnv({ TAPEDECK_LIMIT_STRANGER_CALLS: "7" }).limits.unauthenticatedCallsPerMinute).toBe(7);
	const both = { TAPEDECK_LIMIT_STRANGER_CALLS: "7", TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "8" };
	expect(readEnv(both).limits.unauthenticatedCallsPerMinute).toBe(8);
});
