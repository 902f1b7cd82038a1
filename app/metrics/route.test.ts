import { expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#lib/server/test-api.ts";

/** One server at a time: a process has one Tapedeck. */
async function withApi(addresses: string, check: (api: TestApi) => Promise<void>): Promise<void> {
	const api = await startTestApi({ TAPEDECK_METRICS_ADDRESSES: addresses });
	await check(api).finally(() => api.stop());
}

test("metrics are for keys with their scope", () =>
	withApi("", async (api) => {
		const { status, headers, body } = await api.call("GET", "/metrics");
		expect(status).toBe(200);
		expect(headers.get("content-type")).toMatch(/^text\/plain/);
		expect(body).toContain('tapedeck_jobs{status="recording"} 0');
		expect(body).toContain("tapedeck_disk_full 0");
		expect(body).toContain("process_resident_memory_bytes");
		for (const token of [null, TEST_RUNNER_TOKEN, "tdk_not_a_key_at_all"]) {
			expect((await api.call("GET", "/metrics", { token })).status).toBe(401);
		}
	}));

test("a configured address may read them without a key", () =>
	withApi("10.0.0.1, 127.0.0.1", async (api) => {
		expect((await api.call("GET", "/metrics", { token: null })).status).toBe(200);
	}));

test("nobody becomes a configured address by claiming to be one", () =>
	withApi("10.0.0.1", async (api) => {
		const headers = { "x-forwarded-for": "10.0.0.1", "x-tapedeck-peer": "10.0.0.1" };
		expect((await api.call("GET", "/metrics", { token: null, headers })).status).toBe(401);
	}));
