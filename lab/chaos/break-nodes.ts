/** Random faults of dashboards, their users, their database, their bucket and the networks between them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SettableClock } from "#test/displays/clock.ts";
import { DASHBOARDS_API_KEY, type DashboardProcess } from "#test/servers/dashboards.ts";
import type { FakeS3 } from "#test/servers/fake-s3.ts";
import { Client } from "./client.ts";
import type { Cluster } from "./node-cluster.ts";
import type { Random } from "./random.ts";
import { AHEAD_MS } from "./run-record.ts";

/** Longer than a lease, which others may take after 10 s. */
const LONG_PAUSE_MS = 13_000;
const FAULT_EVERY_MS = [3_000, 9_000] as const;
const START_MS = 60_000;
/**
 * The maximum number of recordings in the trash at a time, and the maximum time to delete and restore one during other
 * faults.
 */
const MOST_DELETED = 5;
const RESTORED_MS = 180_000;

/** Sleeps, but not beyond the end. */
export const wait = (ms: number, ending: AbortSignal) =>
	sleep(ms, undefined, { signal: ending }).catch(() => undefined);

type Fault = (cluster: Cluster, random: Random) => Promise<void>;

/** Faults of dashboards. A fault's promise resolves when the dashboard works again. */
const NODE_FAULTS: Record<string, Fault> = {
	"kill -9 of a dashboard": (cluster, random) =>
		onNode(cluster, random, async (node) => {
			await node.kill();
			await sleep(random.whole(500, LONG_PAUSE_MS));
			await startAgain(node);
		}),
	"restart of a dashboard": (cluster, random) =>
		onNode(cluster, random, async (node) => {
			await node.stop();
			await startAgain(node);
		}),
	"a dashboard stops cleanly and stays away": (cluster, random) =>
		onNode(cluster, random, async (node) => {
			await node.stop();
			await sleep(random.whole(500, LONG_PAUSE_MS));
			await startAgain(node);
		}),
	"the clock of a dashboard's machine is set ahead": (cluster, random) =>
		onNode(cluster, random, async (node) => {
			const clock = cluster.clocks[cluster.nodes.indexOf(node)] as SettableClock;
			await clock.set(AHEAD_MS / 1_000);
			await sleep(random.whole(2_000, LONG_PAUSE_MS));
			await clock.set(0);
		}),
	"a dashboard stands still for longer than its lease": (cluster, random) =>
		onNode(cluster, random, async (node) => {
			node.pause();
			await sleep(LONG_PAUSE_MS);
			node.resume();
		}),
	"a dashboard stands still for a moment": (cluster, random) =>
		onNode(cluster, random, async (node) => {
			node.pause();
			await sleep(random.whole(500, 4_000));
			node.resume();
		}),
	"the network to a dashboard is cut for the others": async ({ nodeNetworks }, random) => {
		const network = random.pick(nodeNetworks);
		network.drop();
		await sleep(random.whole(500, LONG_PAUSE_MS));
		network.resume();
	},
};

/** Faults of the database, one at a time: a database that is restarting cannot be restarted. */
const DATABASE_FAULTS: Record<string, Fault> = {
	"restart of PostgreSQL": ({ postgres }) => postgres.restart(),
	"restart of PgBouncer": ({ pgBouncer }) => pgBouncer.restart(),
	"connections to the database are reset": async ({ databaseNetworks }) => {
		for (const network of databaseNetworks) network.reset();
	},
	"the network to the database forgets its connections": async ({ databaseNetworks }) => {
		for (const network of databaseNetworks) network.forget();
	},
	"the network to the database stands still": async ({ databaseNetworks }, random) => {
		for (const network of databaseNetworks) network.stall();
		await sleep(random.whole(500, 6_000));
		for (const network of databaseNetworks) network.resume();
	},
};

const USER_FAULTS: Record<string, Fault> = {
	"recordings are deleted and restored": async ({ url }, random) => {
		const client = new Client(url, DASHBOARDS_API_KEY, AbortSignal.timeout(RESTORED_MS));
		const complete = (await client.recordings()).filter(({ state }) => state === "ready");
		const deleted = random.shuffled(complete).slice(0, MOST_DELETED);
		for (const { id } of deleted) await client.deleteRecording(id);
		await sleep(random.whole(500, LONG_PAUSE_MS));
		for (const { id } of deleted) await client.restoreRecording(id);
	},
};

const BUCKET_FAULTS: Record<string, Fault> = {
	"the bucket answers 503": (cluster, random) =>
		onBucket(cluster, () => ({ status: 503, code: "SlowDown" }), random.whole(1_000, LONG_PAUSE_MS)),
	"the bucket does not answer": (cluster, random) =>
		onBucket(cluster, () => "silence", random.whole(1_000, LONG_PAUSE_MS)),
	"the bucket's connections break": (cluster, random) =>
		onBucket(cluster, () => (random.chance(0.5) ? "cut" : undefined), random.whole(1_000, LONG_PAUSE_MS)),
};

async function onBucket({ s3 }: Cluster, fault: FakeS3["fault"], ms: number): Promise<void> {
	if (s3 === null) return;
	s3.fault = fault;
	await sleep(ms);
	s3.fault = () => undefined;
}

/**
 * Restarts a dashboard like a service manager: if its database restarts at that moment, it ends with an error and is
 * started again.
 */
async function startAgain(node: DashboardProcess): Promise<void> {
	for (const deadline = performance.now() + START_MS; ; await sleep(1_000)) {
		try {
			return await node.start();
		} catch (error) {
			if (performance.now() > deadline) throw error;
		}
	}
}

/** Leaves at least one dashboard unharmed, so that it can continue the work. */
async function onNode(cluster: Cluster, random: Random, act: (node: DashboardProcess) => Promise<void>): Promise<void> {
	const whole = cluster.nodes.filter((node) => !cluster.broken.has(node));
	if (whole.length < 2) return;
	const node = random.pick(whole);
	cluster.broken.add(node);
	try {
		await act(node);
	} finally {
		cluster.broken.delete(node);
	}
}

/**
 * Breaks something every few seconds until the time is over, and then waits until everything is whole again.
 * @param faults gets how often each fault struck.
 */
export async function breakNodes(
	cluster: Cluster,
	random: Random,
	faults: Record<string, number>,
	log: (line: string) => void,
	ending: AbortSignal,
): Promise<void> {
	const running: Promise<void>[] = [];
	const parts = [NODE_FAULTS, USER_FAULTS, DATABASE_FAULTS, ...(cluster.s3 === null ? [] : [BUCKET_FAULTS])];
	const names = parts.flatMap(Object.keys);
	const busy = new Set<Record<string, Fault>>();
	while (!ending.aborted) {
		const name = random.pick(names);
		const part = parts.find((each) => name in each) as Record<string, Fault>;
		if (!busy.has(part)) {
			faults[name] = (faults[name] ?? 0) + 1;
			const number = Object.values(faults).reduce((sum, count) => sum + count, 0);
			log(`${number}: ${name}`);
			if (part !== NODE_FAULTS) busy.add(part);
			const fault = (part[name] as Fault)(cluster, random).finally(() => {
				busy.delete(part);
				log(`${number}: over`);
			});
			// Awaited at the end, where a failed repair fails the run.
			fault.catch(() => undefined);
			running.push(fault);
		}
		await wait(random.whole(...FAULT_EVERY_MS), ending);
	}
	await Promise.all(running);
}
