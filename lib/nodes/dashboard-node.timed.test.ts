/** The lease of a dashboard with its real times. Other tests shorten them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { type DashboardProcess, startDashboards } from "#test/servers/dashboards.ts";
import { until } from "#test/wait.ts";
import { NODE_LEASE_RULES } from "./dashboard-node.ts";

let here: TestApi;
let there: Awaited<ReturnType<typeof startDashboards>>;
beforeAll(async () => {
	const url = await createPostgresDatabase();
	there = await startDashboards(1, url);
	here = await startTestApi({ TAPEDECK_DATABASE_URL: url });
});
afterAll(async () => {
	await here?.stop();
	await there?.stop();
});

test("with the real lease of 10 s, a dashboard that is killed counts as running for at least 7 s and at most 15 s", async () => {
	expect(NODE_LEASE_RULES).toEqual({ leaseMs: 10_000, renewMs: 2_500, marginMs: 1_000 });
	expect(here.app.node?.count).toBe(2);
	const [killed] = there.nodes as [DashboardProcess];
	await killed.kill();
	const killedAt = performance.now();
	await until(() => here.app.node?.alone, "its lease has expired", 30_000);
	// It was renewed 0 to 2.5 s before, and the other dashboard looks every 2.5 s.
	expect(performance.now() - killedAt).toBeGreaterThan(7_000);
	expect(performance.now() - killedAt).toBeLessThan(15_000);
});
