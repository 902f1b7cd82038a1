import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, TEST_EMAIL, TEST_PASSWORD, type TestApi } from "#test/api-server.ts";
import { until } from "#test/wait.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

test("an unexpected error in /api/auth is logged and answered 500", async () => {
	const { log, db } = api.app;
	const { cookie } = await signIn(api);
	const logged: string[] = [];
	log.error = (data, message) => logged.push(`${message}: ${(data as { err: Error }).err.message}`);
	await db.schema
		.alterTable("session" as never)
		.renameTo("sessionAway")
		.execute();
	try {
		const call = async (path: string, headers: Record<string, string>, body: object) => {
			const answer = await api.call("POST", path, { token: null, headers: { origin: api.url, ...headers }, body });
			const count = logged.length;
			logged.length = 0;
			return [answer.status, count > 0];
		};
		const credentials = { email: TEST_EMAIL, password: TEST_PASSWORD };
		expect(await call("/api/auth/sign-in/email", {}, credentials)).toEqual([500, true]);
		expect(await call("/api/auth/sign-out", { cookie: cookie() }, {})).toEqual([500, true]);
		expect(await call("/api/auth/sign-in/email", {}, { ...credentials, password: "wrong password" })).toEqual([
			401,
			false,
		]);
	} finally {
		await db.schema.alterTable("sessionAway").renameTo("session").execute();
	}
});

test("a dashboard that drains tells the load balancer, serves until the time is over, and then stops", async () => {
	const draining = await startTestApi({ TAPEDECK_DRAIN_SECONDS: "3" });
	const statusOf = async (path: string) => (await draining.call("GET", path)).status;
	expect(await statusOf("/v1/health")).toBe(200);
	const stopped = draining.stop();
	expect(await statusOf("/v1/health")).toBe(503);
	expect(await statusOf("/v1/jobs")).toBe(200);
	await stopped;
	await expect(statusOf("/v1/jobs")).rejects.toThrow("fetch failed");
});

test("a call on a connection that was accepted before the drain time was over is served", async () => {
	const draining = await startTestApi({ TAPEDECK_DRAIN_SECONDS: "1" });
	const { hostname, port } = new URL(draining.url);
	const early = connect(Number(port), hostname);
	await once(early, "connect");
	const stopped = draining.stop();
	const isClosed = async () => {
		const late = connect(Number(port), hostname);
		const refused = once(late, "connect").then(
			() => false,
			() => true,
		);
		return refused.finally(() => late.destroy());
	};
	await until(isClosed, "no connection is accepted any more");
	early.end(`GET /v1/jobs HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${TEST_API_KEY}\r\n\r\n`);
	const [answer] = (await once(early, "data")) as [Buffer];
	expect(answer.toString().split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
	await stopped;
});
