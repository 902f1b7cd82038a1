/**
 * Several dashboard processes on one PostgreSQL, one of them through PgBouncer: a change at one reaches callers that
 * wait at another.
 */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Change, Log } from "#lib/core/context.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { protocolRunner } from "#test/runners/protocol-runner.ts";
import { startPgBouncer } from "#test/servers/pgbouncer.ts";
import { startTcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { until } from "#test/wait.ts";
import { PostgresEventBus } from "./postgres-event-bus.ts";

/** The maximum wait of a poll. A poll that is not woken answers then, without reading again. */
const WAIT_SECONDS = 8;

const ORGANIZATION = 4_711;

let url: string;
let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
let here: TestApi;
let there: TestApi;
let admin: pg.Client;
beforeAll(async () => {
	url = await createPostgresDatabase();
	pooler = await startPgBouncer(url);
	const key = { TAPEDECK_SECRET_KEY: "5a".repeat(32) };
	here = await startTestApi({ ...key, TAPEDECK_DATABASE_URL: pooler.url, TAPEDECK_DATABASE_DIRECT_URL: url });
	there = await startTestApi({ ...key, TAPEDECK_DATABASE_URL: url });
	admin = new pg.Client({ connectionString: url });
	await admin.connect();
});
afterAll(async () => {
	await admin.end();
	await here.stop();
	await there.stop();
	await pooler.stop();
});

const runner = protocolRunner(() => there);
const createHere = (runnerId: number) =>
	here.call("POST", "/v1/jobs", { body: { runnerId, displayId: ":99", stopCondition: "interrupt" } });

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
async function openBus(databaseUrl = url): Promise<{ bus: PostgresEventBus; heard: Change[] }> {
	const bus = new PostgresEventBus(databaseUrl, silent);
	await bus.open();
	onTestFinished(() => bus.close());
	const heard: Change[] = [];
	// The dashboards above have an organization of their own.
	bus.subscribe((change) => {
		if (change.type === "resync" || ("organizationId" in change && change.organizationId === ORGANIZATION))
			heard.push(change);
	});
	return { bus, heard };
}

/** Reads a dashboard's event stream until the test ends. @returns the names of its events so far. */
async function watchStream(api: TestApi): Promise<string[]> {
	const ended = new AbortController();
	onTestFinished(() => ended.abort());
	const headers = { authorization: `Bearer ${TEST_API_KEY}` };
	const answer = await fetch(`${api.url}/v1/events`, { headers, signal: ended.signal });
	const names: string[] = [];
	const read = async () => {
		const text = new TextDecoder();
		for await (const bytes of answer.body ?? []) {
			for (const [, name = ""] of text.decode(bytes, { stream: true }).matchAll(/^event: (.*)$/gm)) names.push(name);
		}
	};
	read().catch(() => undefined);
	return names;
}

test("a runner whose poll waits at one dashboard takes the job that was created at another", async () => {
	const poll = runner.sync([], WAIT_SECONDS);
	const { body: job } = await createHere(runner.session.runnerId);
	expect((await poll).start.map(({ id }) => id)).toEqual([job.id]);
});

test("a cancel at one dashboard reaches the runner whose poll waits at another", async () => {
	const job = await runner.startJob();
	const poll = runner.sync([job], WAIT_SECONDS);
	expect((await here.call("POST", `/v1/jobs/${job.id}/cancel`)).status).toBe(202);
	expect((await poll).cancel).toEqual([job.id]);
});

test("a call that waits for a job's status at one dashboard hears of it from another", async () => {
	const job = await runner.startJob();
	const waiting = here.call("GET", `/v1/jobs/${job.id}?waitFor=recording&timeoutSeconds=60`);
	await runner.report(job.id, { type: "recording", width: 1280, height: 720 });
	expect((await waiting).body.status).toBe("recording");
});

test("pages at one dashboard see changes at another", async () => {
	const names = await watchStream(there);
	await createHere(runner.session.runnerId);
	await until(async () => names.includes("job") || null, "the event arrives");
});

test("a dashboard that was cut off reads everything again, and hears of changes as before", async () => {
	const names = await watchStream(there);
	await admin.query(
		"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tapedeck events'",
	);
	await until(async () => names.includes("resync") || null, "the pages are asked to read again");
	const poll = runner.sync([], WAIT_SECONDS);
	const { body: job } = await createHere(runner.session.runnerId);
	expect((await poll).start.map(({ id }) => id)).toContain(job.id);
});

test("a dashboard whose notifications would go through a connection pooler does not start, and says what to set", async () => {
	await expect(startTestApi({ TAPEDECK_DATABASE_URL: pooler.url })).rejects.toThrow(
		/leads to a connection pooler.*Set TAPEDECK_DATABASE_DIRECT_URL/,
	);
});

test("a PostgreSQL that refuses the connection and then keeps silent holds nobody up", async () => {
	const refusal = Buffer.from("E\0\0\0\0SFATAL\0C57P03\0Mthe database system is starting up\0\0", "latin1");
	refusal.writeInt32BE(refusal.length - 1, 1);
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		socket.on("error", () => undefined).once("data", () => socket.write(refusal));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	const bus = new PostgresEventBus(`postgres://a@127.0.0.1:${(server.address() as AddressInfo).port}/b`, silent);
	await expect(bus.open()).rejects.toThrow("the database system is starting up");
});

test("thousands of changes at once all arrive, each once, and none at the process that published them", async () => {
	const [one, other] = [await openBus(), await openBus()];
	const count = 5_000;
	const changes = Array.from(
		{ length: count },
		(_, index): Change => ({ type: "job", organizationId: ORGANIZATION, jobId: 1_000_000 + index, runnerId: 1 }),
	);
	for (const change of [...changes, ...changes]) one.bus.publish(change);
	// The dashboards above may be reading everything again.
	const jobs = (heard: Change[]) => heard.filter(({ type }) => type === "job");
	await until(async () => jobs(other.heard).length >= count || null, "all have arrived");
	expect(jobs(other.heard)).toEqual(changes);
	expect(jobs(one.heard)).toEqual([...changes, ...changes]);
});

test("changes published while PostgreSQL is away are made up for: the others read everything again", async () => {
	const [one, other] = [await openBus(), await openBus()];
	await admin.query(
		"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tapedeck events'",
	);
	one.bus.publish({ type: "members", organizationId: ORGANIZATION });
	await until(async () => other.heard.some(({ type }) => type === "resync") || null, "the other is notified");
});

test("a bus whose connection the network has forgotten opens another, and both sides read everything again", async () => {
	const network = await startTcpProxy(url);
	onTestFinished(() => network.stop());
	const [one, other] = [await openBus(throughProxy(network, url)), await openBus()];
	network.forget();
	other.bus.publish({ type: "members", organizationId: ORGANIZATION });
	for (const { heard } of [one, other]) {
		await until(
			async () => heard.some(({ type }) => type === "resync"),
			"it is asked to read everything again",
			10_000,
		);
	}
});

test("a bus that is closed sends what it was still holding", async () => {
	const [one, other] = [await openBus(), await openBus()];
	for (const runnerId of [1, 2, 3]) one.bus.publish({ type: "runner", organizationId: ORGANIZATION, runnerId });
	await one.bus.close();
	await until(async () => other.heard.length >= 3 || null, "all have arrived");
});
