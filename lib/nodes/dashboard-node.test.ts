/** Two dashboards on one PostgreSQL: what each knows of the other, and keeps of itself while the network fails. */

import { readFile } from "node:fs/promises";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { inExplore } from "#test/in-explore.ts";
import { startTcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";

const SECRET_KEY = "4e".repeat(32);
/** Longer than the 3 s after which a statement on a lost connection fails. */
const LEASE = { leaseMs: 5_000, renewMs: 500, marginMs: 500 };

let url: string;
let admin: pg.Client;
beforeEach(async () => {
	url = await createPostgresDatabase();
	admin = new pg.Client({ connectionString: url });
	await admin.connect();
});
afterEach(() => admin.end());
afterAll(removeTestFolder);

async function start(databaseUrl = url): Promise<TestApi> {
	const api = await startTestApi(
		{
			TAPEDECK_DATABASE_URL: databaseUrl,
			TAPEDECK_DATABASE_DIRECT_URL: url,
			TAPEDECK_SECRET_KEY: SECRET_KEY,
		},
		{ rules: { nodeLease: LEASE } },
	);
	onTestFinished(() => api.stop());
	return api;
}

/** Waits until the only dashboard has renewed its lease. @param ms how long it may take */
async function renewal(ms: number): Promise<void> {
	const end = async () => (await admin.query<{ until: string }>(`select until from "dashboardNode"`)).rows[0]?.until;
	const before = Number(await end());
	await until(async () => Number(await end()) > before, "it renews its lease", ms);
}

inExplore(test)("a dashboard whose connections the network has forgotten keeps its lease", async () => {
	const network = await startTcpProxy(url);
	onTestFinished(() => network.stop());
	const api = await start(throughProxy(network, url));
	const { term } = api.app.node ?? {};
	await renewal(10_000);
	// Uses all connections of the pool, so that it has no other one left.
	await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.1)`.execute(api.app.db)));
	network.forget();
	await renewal(10_000);
	expect(api.app.node?.holds).toBe(true);
	expect(api.app.node?.term).toBe(term);
	expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
});

inExplore(test)(
	"a dashboard that stops gives up its lease, although its connections have been lost, and also without its database",
	async () => {
		const network = await startTcpProxy(url);
		onTestFinished(() => network.stop());
		const numberOf = async (query: string) => Number((await admin.query<{ number: string }>(query)).rows[0]?.number);
		/** The time that other dashboards wait for this one, measured from the moment before it is asked to stop. */
		const waitedFor = async (lose: () => void) => {
			const api = await start(throughProxy(network, url));
			const askedAt = await numberOf("select extract(epoch from clock_timestamp()) * 1000 as number");
			lose();
			await api.stop();
			const until = await numberOf(`select until as number from "dashboardNode"`);
			await admin.query(`delete from "dashboardNode"`);
			return until - askedAt;
		};
		// They wait for the files on its disk, longer than a lease lasts.
		expect(await waitedFor(network.forget)).toBeGreaterThan(15_000);
		expect(await waitedFor(network.reset)).toBeGreaterThan(15_000);
		expect(await waitedFor(network.drop)).toBeLessThanOrEqual(LEASE.leaseMs);
	},
);

test("a dashboard that has lost sight of all others does not say of their videos that they are missing", async () => {
	const [here, there] = [await start(), await start()];
	const answer = await fetch(`${there.url}/v1/recordings?name=There`, {
		method: "POST",
		headers: { authorization: `Bearer ${TEST_API_KEY}`, "content-type": "video/mp4" },
		body: new Uint8Array(await readFile(await makeVideo("recorder.mp4"))),
	});
	const { id } = (await answer.json()) as Recording;
	const away = there.app.node?.id;
	await there.stop();
	await admin.query(`update "dashboardNode" set until = 0 where id = $1`, [away]);
	await here.app.node?.findOthers();
	expect(here.app.node?.alone).toBe(true);
	const { status, body } = await here.call("GET", `/v1/recordings/${id}/video`);
	expect([status, body.detail]).toEqual([503, expect.stringContaining("cannot be reached")]);
});
