/** A dashboard whose PostgreSQL has been stopped, or does not answer any more. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { until } from "#test/wait.ts";

const METRICS_TOKEN = "prometheus-0123456789abcdef";

let network: TcpProxy;
let api: TestApi;
beforeAll(async () => {
	const databaseUrl = await createPostgresDatabase();
	network = await startTcpProxy(databaseUrl);
	const variables = {
		TAPEDECK_DATABASE_URL: throughProxy(network, databaseUrl),
		TAPEDECK_DATABASE_DIRECT_URL: databaseUrl,
		TAPEDECK_METRICS_TOKEN: METRICS_TOKEN,
		TAPEDECK_LOG_LEVEL: "silent",
	};
	const pages = {
		handle: async (_req: unknown, res: { end: (text: string) => void }) => res.end("a page"),
		assets: null,
		close: async () => undefined,
	};
	api = await startTestApi(variables, { openPages: async () => pages });
});
afterAll(async () => {
	network?.resume();
	await api?.stop();
	await network?.stop();
});

const get = (path: string, token: string | null = null) => api.call("GET", path, { token });
const isBack = () => until(async () => (await get("/v1/health")).status === 200, "the database is back", 60_000);

test.each([
	"drop",
	"stall",
] as const)("while it is away (%s), pages say so with 503, metrics come from memory, and the process is alive; then all goes on", async (how) => {
	expect((await get("/jobs")).body).toBe("a page");
	expect((await get("/metrics", METRICS_TOKEN)).body).toMatch(/tapedeck_database_up 1\n[\s\S]*tapedeck_jobs\{/);
	network[how]();
	const page = await get("/jobs");
	expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
	expect(page.body).toContain("The dashboard can't reach its database");
	expect((await get("/v1/health/live")).status).toBe(200);
	const metrics = await get("/metrics", METRICS_TOKEN);
	expect(metrics.status).toBe(200);
	expect(metrics.body).toContain("tapedeck_database_up 0\n");
	expect(metrics.body).toContain("process_resident_memory_bytes");
	expect(metrics.body).toContain("tapedeck_disk_free_bytes");
	expect(metrics.body).not.toContain("tapedeck_jobs{");
	expect((await get("/v1/jobs", "tdk_of-nobody")).status).toBe(503);
	network.resume();
	await isBack();
	expect((await get("/jobs")).body).toBe("a page");
}, 120_000);
