import { setTimeout as sleep } from "node:timers/promises";
import { hashPassword } from "better-auth/crypto";
import { expect, test } from "vitest";
import { insertOrganization, insertUser } from "#lib/auth/better-auth/account-rows.ts";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import { PASSWORD, signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";

const METRICS_TOKEN = "prometheus-0123456789abcdef";

/** One server at a time: a process has one Tapedeck. */
async function withApi(variables: Record<string, string>, check: (api: TestApi) => Promise<void>): Promise<void> {
	const api = await startTestApi(variables);
	await check(api).finally(() => api.stop());
}

/** A key of another organization, whose one runner is online. */
async function foreignKey(api: TestApi): Promise<string> {
	const db = accountTables(api.app.db);
	const organizationId = await insertOrganization(db, "Foreign", Date.now());
	const user = { name: "Stranger", email: "stranger@example.com", passwordHash: await hashPassword(PASSWORD) };
	await insertUser(db, { organizationId, role: "owner" }, user, Date.now());
	const owner = await signIn(api, user.email, PASSWORD);
	const token = (await owner.call("POST", "/v1/runner-tokens", { body: { name: "Foreign" } })).body.secret;
	const runner = { name: "foreign", version: "test", instanceId: "foreign-instance", displays: [] };
	expect((await api.call("POST", "/v1/runner/sign-in", { token, body: runner })).status).toBe(200);
	return (await owner.call("POST", "/v1/api-keys", { body: { name: "Foreign" } })).body.secret;
}

test("a key with the scope reads the figures of its own organization, and nothing of others or of the machine", () =>
	withApi({}, async (api) => {
		const { runnerId } = await api.signIn();
		await api.signIn("second");
		await api.call("POST", "/v1/jobs", { body: { runnerId, displayId: ":99", stopCondition: "interrupt" } });
		const foreign = await foreignKey(api);
		const { status, headers, body } = await api.call("GET", "/metrics");
		expect(status).toBe(200);
		expect(headers.get("content-type")).toMatch(/^text\/plain/);
		expect(body).toContain('tapedeck_runners{state="online"} 2');
		expect(body).toContain('tapedeck_jobs{status="queued"} 1');
		const other = (await api.call("GET", "/metrics", { token: foreign })).body;
		expect(other).toContain('tapedeck_runners{state="online"} 1');
		expect(other).toContain('tapedeck_jobs{status="queued"} 0');
		expect(`${body}${other}`).not.toMatch(/process_|nodejs_|tapedeck_disk/);
		for (const token of [null, TEST_RUNNER_TOKEN, "tdk_not_a_key_at_all"]) {
			expect((await api.call("GET", "/metrics", { token })).status).toBe(401);
		}
	}));

test("calls at the same time do not mix the figures of organizations", () =>
	withApi({}, async (api) => {
		const foreign = await foreignKey(api);
		const tokens = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? foreign : TEST_API_KEY));
		const answers = await Promise.all(tokens.map((token) => api.call("GET", "/metrics", { token })));
		for (const [index, { body }] of answers.entries()) {
			expect(body).toContain(`tapedeck_runners{state="online"} ${index % 2 === 0 ? 1 : 0}`);
		}
	}));

test("the operator's token reads the figures of the whole instance", () =>
	withApi({ TAPEDECK_METRICS_TOKEN: METRICS_TOKEN }, async (api) => {
		await api.signIn();
		await foreignKey(api);
		const { status, body } = await api.call("GET", "/metrics", { token: METRICS_TOKEN });
		expect(status).toBe(200);
		expect(body).toContain('tapedeck_runners{state="online"} 2');
		expect(body).toContain('tapedeck_jobs{status="recording"} 0');
		expect(body).toContain("tapedeck_disk_full 0");
		expect(body).toContain("process_resident_memory_bytes");
		expect((await api.call("GET", "/metrics", { token: `${METRICS_TOKEN}x` })).status).toBe(401);
		expect((await api.call("GET", "/v1/jobs", { token: METRICS_TOKEN })).status).toBe(401);
	}));

test("the operator's token is no stranger: only calls without valid credentials count against the address", () =>
	withApi({ TAPEDECK_METRICS_TOKEN: METRICS_TOKEN, TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "3" }, async (api) => {
		const statuses = async (token: string | null, calls: number) => {
			const found = [];
			for (let call = 0; call < calls; call++) found.push((await api.call("GET", "/metrics", { token })).status);
			return found;
		};
		expect(await statuses(METRICS_TOKEN, 8)).toEqual(Array(8).fill(200));
		expect(await statuses("guessed", 4)).toEqual([401, 401, 401, 429]);
		expect(await statuses(METRICS_TOKEN, 1)).toEqual([200]);
		expect((await api.call("GET", "/metrics")).status).toBe(200);
	}));

test("a key that reads metrics has the limit of its other calls", () =>
	withApi({ TAPEDECK_LIMIT_CALLS: "2" }, async (api) => {
		const answers = [];
		for (const path of ["/metrics", "/v1/runners", "/metrics"]) answers.push(await api.call("GET", path));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
		expect(answers[0]?.headers.get("ratelimit")).toMatch(/^"caller";r=1;/);
	}));

test("a configured address reads them without a key", () =>
	withApi({ TAPEDECK_METRICS_ADDRESSES: "10.0.0.1, 127.0.0.1" }, async (api) => {
		const { status, body } = await api.call("GET", "/metrics", { token: null });
		expect([status, body]).toEqual([200, expect.stringContaining("tapedeck_disk_full 0")]);
	}));

test("a caller through a proxy at a configured address is not the operator unless the proxy is trusted", async () => {
	const variables = { TAPEDECK_METRICS_ADDRESSES: "127.0.0.1, 10.0.0.1" };
	const from = async (api: TestApi, address: string): Promise<number> =>
		(await api.call("GET", "/metrics", { token: null, headers: { "x-forwarded-for": address } })).status;
	await withApi(variables, async (api) => expect(await from(api, "203.0.113.9")).toBe(401));
	await withApi({ ...variables, TAPEDECK_TRUSTED_PROXIES: "127.0.0.1" }, async (api) => {
		expect([await from(api, "203.0.113.9"), await from(api, "10.0.0.1")]).toEqual([401, 200]);
	});
});

test("nobody becomes a configured address by claiming to be one", () =>
	withApi({ TAPEDECK_METRICS_ADDRESSES: "10.0.0.1" }, async (api) => {
		const headers = { "x-forwarded-for": "10.0.0.1", "x-tapedeck-peer": "10.0.0.1" };
		expect((await api.call("GET", "/metrics", { token: null, headers })).status).toBe(401);
	}));

test("a pause of the event loop shows in the maximum of its delay, until the scrape after it", () =>
	withApi({ TAPEDECK_METRICS_TOKEN: METRICS_TOKEN }, async (api) => {
		const longest = async () => {
			const { body } = await api.call("GET", "/metrics", { token: METRICS_TOKEN });
			return Number(/^tapedeck_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(body)?.[1]);
		};
		await longest();
		await sleep(50);
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
		await sleep(50);
		expect(await longest()).toBeGreaterThan(0.6);
		await expect.poll(longest).toBeLessThan(0.6);
	}));
