/** The dashboard's log, of a real process: what each line has, and which requests have a line. */

import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Log } from "#lib/core/context.ts";
import { repeatedLog } from "#lib/server/logger.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { inExplore } from "#test/in-explore.ts";
import { startChild } from "#test/processes/child.ts";
import { startTcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";

const PROCESS = join(import.meta.dirname, "../../test/servers/dashboard-process.ts");
const KEY = "tdk_test_0123456789abcdef";

type Line = { level: number; node: string; version: string; msg: string; requestId?: string; [field: string]: unknown };

/** A dashboard in a process of its own. */
async function start(variables: Record<string, string> = {}) {
	const dataDir = await temporaryFolder("log");
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TAPEDECK_"));
	const env = {
		...Object.fromEntries(inherited),
		PORT: "0",
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_BOOTSTRAP_EMAIL: "owner@example.com",
		TAPEDECK_BOOTSTRAP_PASSWORD: "a password for tests",
		TAPEDECK_BOOTSTRAP_API_KEY: KEY,
		...variables,
	};
	const child = startChild(process.execPath, [PROCESS], { env: env as unknown as NodeJS.ProcessEnv });
	onTestFinished(async () => void (await child.stop(10_000)));
	await child.says("listens on", 60_000);
	const port = /listens on port (\d+)/.exec(child.output())?.[1];
	const lines = (): Line[] =>
		child
			.output()
			.split("\n")
			.filter((line) => line !== "" && !line.startsWith("listens on"))
			.map((line) => JSON.parse(line));
	const call = (path: string, token = KEY) =>
		fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
	return { lines, call, requests: () => lines().filter(({ path }) => path !== undefined) };
}

test("each request has a line with its id, and each line is JSON with the node and the version", async () => {
	const { call, lines, requests } = await start();
	// Health checks have none at this level.
	expect((await call("/v1/health")).status).toBe(200);
	const { headers } = await call("/v1/jobs?q=secret");
	await call("/v1/shared/a-secret-token");
	await call("/v1/jobs/77");
	await call("/v1/jobs", "wrong");
	await expect.poll(requests).toHaveLength(4);
	expect(requests()).toMatchObject([
		{
			level: 30,
			requestId: headers.get("x-request-id"),
			method: "GET",
			path: "/v1/jobs",
			status: 200,
			address: "127.0.0.1",
		},
		{ level: 40, path: "/v1/shared/[hidden]", status: 404 },
		{ level: 40, path: "/v1/jobs/77", status: 404 },
		{ level: 40, path: "/v1/jobs", status: 401 },
	]);
	expect(new Set(requests().map(({ requestId }) => requestId)).size).toBe(4);
	for (const line of lines()) expect(line).toMatchObject({ node: expect.stringMatching(/./), version: "0.2.0" });
	expect(JSON.stringify(lines())).not.toMatch(/secret-token|q=secret/);
});

test("answers that are no JSON have the id of their line, too", async () => {
	const { call, requests } = await start();
	for (const path of ["/v1/openapi.json", "/install.sh", "/metrics"]) {
		const { headers } = await call(path);
		expect(headers.get("x-request-id"), path).toMatch(/./);
		const ids = () => requests().map(({ requestId }) => requestId);
		await expect.poll(ids, { message: path }).toContain(headers.get("x-request-id"));
	}
});

test("the lines of answered requests can be left out, those of refused ones not, even at a higher level", async () => {
	for (const [name, value] of [
		["TAPEDECK_LOG_REQUESTS", "refused"],
		["TAPEDECK_LOG_LEVEL", "warn"],
	] as const) {
		const { call, requests } = await start({ [name]: value });
		await call("/v1/jobs");
		await call("/v1/jobs/77");
		await expect.poll(requests).toMatchObject([{ path: "/v1/jobs/77", status: 404 }]);
	}
});

inExplore(test)("with PostgreSQL, each line has the id of the node", async () => {
	const { call, lines, requests } = await start({
		TAPEDECK_DATABASE_URL: await createPostgresDatabase(),
		TAPEDECK_SECRET_KEY: "5e".repeat(32),
		TAPEDECK_URL: "http://tapedeck.test",
	});
	await call("/v1/jobs");
	await expect.poll(requests).toHaveLength(1);
	expect(lines()[0]?.node).toMatch(/^[0-9a-f-]{36}$/);
	expect(new Set(lines().map(({ node }) => node)).size).toBe(1);
});

inExplore(test)(
	"while the database is away, its error is in the log once for all sweeps, not in every second",
	async () => {
		const databaseUrl = await createPostgresDatabase();
		const network = await startTcpProxy(databaseUrl);
		onTestFinished(() => network.stop());
		const { call, lines } = await start({
			TAPEDECK_DATABASE_URL: throughProxy(network, databaseUrl),
			TAPEDECK_DATABASE_DIRECT_URL: databaseUrl,
			TAPEDECK_SECRET_KEY: "5e".repeat(32),
			TAPEDECK_URL: "http://tapedeck.test",
		});
		network.drop();
		const failed = () => lines().filter(({ msg }) => msg.startsWith("a sweep failed"));
		await expect.poll(() => failed().length).toBeGreaterThan(0);
		// Enough calls for each of them to fail several times.
		for (let calls = 0; calls < 6; calls++) {
			await call("/v1/jobs");
			await new Promise((resolve) => setTimeout(resolve, 1_000));
		}
		const reasons = failed().map(({ err }) => (err as { message: string }).message);
		expect(reasons).toEqual([...new Set(reasons)]);
		network.resume();
	},
);

test("a repeated line is written once, then with a count for each period in which it repeats", () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const warn = vi.fn();
	const log = { warn, debug: vi.fn(), info: vi.fn(), error: vi.fn() } as unknown as Log;
	const repeated = repeatedLog(log, 60_000);
	for (let time = 0; time < 100; time++) repeated("unavailable", "warn", { fault: "unavailable" }, "the store failed");
	repeated("denied", "warn", { fault: "denied" }, "the store refused");
	expect(warn.mock.calls.map(([, message]) => message)).toEqual(["the store failed", "the store refused"]);
	vi.advanceTimersByTime(60_000);
	expect(warn.mock.calls.slice(2)).toEqual([[{ fault: "unavailable", repeated: 99 }, "the store failed"]]);
	repeated("unavailable", "warn", { fault: "unavailable" }, "the store failed");
	expect(warn).toHaveBeenCalledTimes(3);
	vi.advanceTimersByTime(60_000);
	expect(warn.mock.calls.slice(3)).toEqual([[{ fault: "unavailable", repeated: 1 }, "the store failed"]]);
	vi.advanceTimersByTime(120_000);
	repeated("unavailable", "warn", { fault: "unavailable" }, "the store failed");
	expect(warn).toHaveBeenCalledTimes(5);
});
