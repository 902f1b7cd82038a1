/**
 * Three dashboards on one PostgreSQL behind PgBouncer and a balancer that knows nothing of them, with videos on their
 * disks or in a bucket, ten runners, and random faults of nodes, database, bucket and the networks between them.
 * Afterwards every job that was acknowledged has its whole recording, each dashboard plays it, nothing is in the database
 * or the bucket that belongs to nothing, and what a page heard is what a page that is opened now would load.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Job } from "#lib/contract/job.ts";
import { isEnded } from "#lib/contract/job-status.ts";
import { type OwnPostgres, startOwnPostgres } from "#test/databases/own-postgres.ts";
import { SimulatedRunner } from "#test/runners/simulated-runner.ts";
import {
	DASHBOARDS_API_KEY,
	DASHBOARDS_RUNNER_TOKEN,
	type DashboardProcess,
	startDashboards,
} from "#test/servers/dashboards.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { startPgBouncer } from "#test/servers/pgbouncer.ts";
import { startRoundRobin } from "#test/servers/round-robin.ts";
import { startTcpProxy, type TcpProxy } from "#test/servers/tcp-proxy.ts";
import { type Random, randomFrom } from "./random.ts";

const NODES = 3;
const RUNNERS = 10;
/** Longer than a lease, which others may take after 10 s. */
const LONG_PAUSE_MS = 13_000;
const FAULT_EVERY_MS = [3_000, 9_000] as const;
const JOB_EVERY_MS = [200, 1_500] as const;
const SETTLE_MS = 150_000;
const START_MS = 60_000;

export interface NodeChaosReport {
	seed: number;
	seconds: number;
	faults: Record<string, number>;
	jobs: number;
	/** A sentence for each thing that is wrong. */
	wrongs: string[];
}

export interface NodeChaosOptions {
	seconds: number;
	seed: number;
	/** Whether finished videos are stored in a bucket. */
	bucket: boolean;
	log: (line: string) => void;
}

interface Cluster {
	postgres: OwnPostgres;
	pgBouncer: Awaited<ReturnType<typeof startPgBouncer>>;
	/** Null when videos are stored on the dashboards' disks. */
	s3: FakeS3 | null;
	/** Between the dashboards and PgBouncer, and PostgreSQL. */
	databaseNetworks: TcpProxy[];
	/** Between each dashboard and those that call it. */
	nodeNetworks: TcpProxy[];
	nodes: DashboardProcess[];
	/** The dashboards that are broken now. */
	broken: Set<DashboardProcess>;
	url: string;
	port: number;
}

/** @param pieces the video that every job records. */
export async function runNodeChaos(options: NodeChaosOptions, pieces: readonly Buffer[]): Promise<NodeChaosReport> {
	const closing: (() => Promise<unknown>)[] = [];
	const opened = <T extends { stop(): Promise<unknown> }>(each: T): T => {
		closing.unshift(() => each.stop());
		return each;
	};
	try {
		const postgres = opened(await startOwnPostgres());
		const pgBouncer = opened(await startPgBouncer(postgres.url));
		setFakeCredentials();
		const s3 = options.bucket ? opened(await startFakeS3()) : null;
		const pooled = opened(await startTcpProxy(pgBouncer.url));
		const direct = opened(await startTcpProxy(postgres.url));
		const nodeNetworks: TcpProxy[] = [];
		const { nodes } = opened(
			await startDashboards(NODES, through(pooled, pgBouncer.url), async (port) => {
				const network = opened(await startTcpProxy(`http://127.0.0.1:${port}`));
				nodeNetworks.push(network);
				return {
					TAPEDECK_DATABASE_DIRECT_URL: through(direct, postgres.url),
					TAPEDECK_INTERNAL_URL: network.url,
					TAPEDECK_LIMIT_QUEUED_JOBS: "0",
					TAPEDECK_LOG_LEVEL: "error",
					...(s3 === null ? {} : { TAPEDECK_STORAGE_URL: s3.url }),
				};
			}),
		);
		const { port } = opened(await startRoundRobin(nodes.map(({ port }) => port)));
		const url = `http://127.0.0.1:${port}`;
		const databaseNetworks = [pooled, direct];
		const broken = new Set<DashboardProcess>();
		return await runOn(
			{ postgres, pgBouncer, s3, databaseNetworks, nodeNetworks, nodes, broken, url, port },
			options,
			pieces,
		);
	} finally {
		for (const close of closing) await close().catch(() => undefined);
	}
}

/** The URL of a database through a proxy. */
function through(proxy: TcpProxy, databaseUrl: string): string {
	const url = new URL(databaseUrl);
	url.port = new URL(proxy.url).port;
	return url.href;
}

async function runOn(
	cluster: Cluster,
	{ seconds, seed, log }: NodeChaosOptions,
	pieces: readonly Buffer[],
): Promise<NodeChaosReport> {
	const random = randomFrom(seed);
	const lastFailures = new Map<number, string>();
	const runners = Array.from(
		{ length: RUNNERS },
		(_, index) =>
			new SimulatedRunner({ port: cluster.port, runnerToken: DASHBOARDS_RUNNER_TOKEN }, `runner ${index + 1}`, pieces, {
				failed: ({ message }) => lastFailures.set(index, message),
			}),
	);
	await Promise.all(runners.map((runner) => runner.start()));
	const page = new Page(cluster.url);
	const ending = AbortSignal.timeout(seconds * 1_000);
	const ids: number[] = [];
	const faults: Record<string, number> = {};
	try {
		page.open();
		await Promise.all([
			createJobs(cluster, runners, random, ids, ending),
			breakThings(cluster, random, faults, log, ending),
		]);
		log("every fault is over; waiting for the last jobs to end");
		lastFailures.clear();
		const jobs = await settled(cluster, ids);
		const mute = await wrongsOfNodes(cluster);
		if (mute.length > 0) return { seed, seconds, faults, jobs: ids.length, wrongs: mute };
		for (const [index, message] of lastFailures) log(`since then, runner ${index + 1} last failed with: ${message}`);
		const wrongs = [
			...wrongsOfJobs(ids, jobs),
			...(await wrongsOfVideos(cluster, jobs, pieces)),
			...(await wrongsOfRows(cluster)),
			...(await page.wrongs(jobs)),
		];
		return { seed, seconds, faults, jobs: ids.length, wrongs };
	} finally {
		page.close();
		for (const runner of runners) runner.kill();
	}
}

/** Sleeps, but not beyond the end. */
const wait = (ms: number, ending: AbortSignal) => sleep(ms, undefined, { signal: ending }).catch(() => undefined);

async function createJobs(
	{ url }: Cluster,
	runners: readonly SimulatedRunner[],
	random: Random,
	ids: number[],
	ending: AbortSignal,
): Promise<void> {
	for (let count = 0; !ending.aborted; count++) {
		const { runnerId } = runners[count % runners.length] as SimulatedRunner;
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
		const job = await call<Job>(url, "POST", "/v1/jobs", body).catch(() => null);
		if (job !== null) ids.push(job.id);
		await wait(random.whole(...JOB_EVERY_MS), ending);
	}
}

type Fault = (cluster: Cluster, random: Random) => Promise<void>;

/** What is broken is whole again when the promise resolves. */
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

/** One at a time: a database that is restarted cannot be restarted. */
const DATABASE_FAULTS: Record<string, Fault> = {
	"restart of PostgreSQL": ({ postgres }) => postgres.restart(),
	"restart of PgBouncer": ({ pgBouncer }) => pgBouncer.restart(),
	"connections to the database are reset": async ({ databaseNetworks }) => {
		for (const network of databaseNetworks) network.reset();
	},
	"the network to the database stands still": async ({ databaseNetworks }, random) => {
		for (const network of databaseNetworks) network.stall();
		await sleep(random.whole(500, 6_000));
		for (const network of databaseNetworks) network.resume();
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

/** As a service manager does: a dashboard whose database restarts at that moment ends with an error and is started anew. */
async function startAgain(node: DashboardProcess): Promise<void> {
	for (const deadline = performance.now() + START_MS; ; await sleep(1_000)) {
		try {
			return await node.start();
		} catch (error) {
			if (performance.now() > deadline) throw error;
		}
	}
}

/** One dashboard stays whole, so that there is somebody to continue. */
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

async function breakThings(
	cluster: Cluster,
	random: Random,
	faults: Record<string, number>,
	log: (line: string) => void,
	ending: AbortSignal,
): Promise<void> {
	const running: Promise<void>[] = [];
	const parts = [NODE_FAULTS, DATABASE_FAULTS, ...(cluster.s3 === null ? [] : [BUCKET_FAULTS])];
	const names = parts.flatMap(Object.keys);
	const busy = new Set<Record<string, Fault>>();
	while (!ending.aborted) {
		const name = random.pick(names);
		const part = parts.find((each) => name in each) as Record<string, Fault>;
		if (!busy.has(part)) {
			faults[name] = (faults[name] ?? 0) + 1;
			log(name);
			if (part !== NODE_FAULTS) busy.add(part);
			const fault = (part[name] as Fault)(cluster, random).finally(() => busy.delete(part));
			// Awaited at the end, where one that was not repaired fails the run.
			fault.catch(() => undefined);
			running.push(fault);
		}
		await wait(random.whole(...FAULT_EVERY_MS), ending);
	}
	await Promise.all(running);
}

/** All jobs, once they have ended or the time is up. */
async function settled({ nodes }: Cluster, ids: readonly number[]): Promise<Job[]> {
	const [{ url }] = nodes as [DashboardProcess];
	const deadline = performance.now() + SETTLE_MS;
	for (;;) {
		const jobs = await allJobs(url).catch(() => []);
		const isOver = jobs.length >= ids.length && jobs.every(({ status }) => isEnded(status));
		// A lost job may still return.
		const isFinal = isOver && jobs.every(({ stopReason }) => stopReason !== "runner_lost");
		if (isFinal || performance.now() > deadline) return jobs;
		await sleep(500);
	}
}

/** Every dashboard answers again. */
async function wrongsOfNodes({ nodes }: Cluster): Promise<string[]> {
	const wrongs = await Promise.all(
		nodes.map(({ url, output }) =>
			call(url, "GET", "/v1/jobs").then(
				() => [],
				(error: Error) => [`${url} does not answer (${error.message}); its last lines: ${output().slice(-2_000)}`],
			),
		),
	);
	return wrongs.flat();
}

async function allJobs(url: string): Promise<Job[]> {
	const jobs: Job[] = [];
	for (let cursor: string | null = ""; cursor !== null; ) {
		const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
		const page: { data: Job[]; nextCursor: string | null } = await call(url, "GET", `/v1/jobs?limit=100${query}`);
		jobs.push(...page.data);
		cursor = page.nextCursor;
	}
	return jobs;
}

function wrongsOfJobs(ids: readonly number[], jobs: readonly Job[]): string[] {
	const byId = new Map(jobs.map((job) => [job.id, job]));
	return ids.flatMap((id) => {
		const job = byId.get(id);
		if (job === undefined) return [`job ${id} was acknowledged and is gone`];
		if (job.status !== "completed") return [`job ${id} is ${job.status} (${job.stopReason})`];
		return job.recording?.state === "ready" ? [] : [`job ${id} has no complete recording`];
	});
}

/** Every dashboard plays the same complete video. */
async function wrongsOfVideos({ nodes }: Cluster, jobs: readonly Job[], pieces: readonly Buffer[]): Promise<string[]> {
	const wrongs: string[] = [];
	const least = Buffer.concat(pieces).length;
	for (const job of jobs) {
		if (job.recording === null) continue;
		const sizes = await Promise.all(
			nodes.map(async ({ url }) => {
				try {
					const answer = await fetch(`${url}/v1/recordings/${job.recording?.id}/video`, { headers: AUTHORIZED });
					const { byteLength } = await answer.arrayBuffer();
					return answer.status === 200 ? byteLength : -answer.status;
				} catch (error) {
					const { message, cause } = error as Error;
					throw new Error(`${url} does not send the video of job ${job.id}: ${message}, ${cause}`);
				}
			}),
		);
		// Played with a header of its own instead of many small ones.
		if (new Set(sizes).size > 1 || (sizes[0] ?? 0) < least * 0.9) {
			wrongs.push(`recording ${job.recording.id} of job ${job.id} has ${sizes.join(", ")} bytes at the dashboards`);
		}
	}
	return wrongs;
}

/** No row and no object is left of what is over. */
async function wrongsOfRows({ postgres, s3 }: Cluster): Promise<string[]> {
	const client = new pg.Client({ connectionString: postgres.url });
	await client.connect();
	try {
		const count = async (what: string, from: string) => {
			const { rows } = await client.query<{ count: string }>(`select count(*) from ${from}`);
			return Number(rows[0]?.count) === 0 ? [] : [`${rows[0]?.count} ${what}`];
		};
		return [
			...(s3 === null ? [] : await count("recordings are not in the bucket", `recording where "objectKey" is null`)),
			...(await count("recordings are still live", `recording where state <> 'ready'`)),
			...(await count(
				"leases are of no recording",
				`"uploadLease" l where not exists (select 1 from recording r where r."uploadId" = l."uploadId")`,
			)),
			...(await count(
				"recordings on a disk have no lease",
				`recording r where "objectKey" is null and not exists (select 1 from "uploadLease" l where r."uploadId" = l."uploadId" and l."storedAt" is not null)`,
			)),
			...(s3 === null ? [] : await wrongsOfObjects(client, s3)),
		];
	} finally {
		await client.end();
	}
}

/** What is in the bucket belongs to a recording, or is known to be of no use, so that the sweep deletes it. */
async function wrongsOfObjects(client: pg.Client, { objects, location, openPartIds }: FakeS3): Promise<string[]> {
	const { rows } = await client.query<{ key: string; multipart: string | null }>(`
		select "objectKey" || suffix as key, null as multipart from recording, unnest(array['', '.jpg', '.frames']) as suffix
		where "objectKey" is not null
		union all select "objectKey", null from "videoSegment"
		union all select "objectKey", "multipartId" from "unusedObject"`);
	const keys = new Set(rows.map(({ key }) => location.prefix + key));
	const multiparts = new Set(rows.map(({ multipart }) => multipart));
	return [
		...[...objects.keys()].filter((key) => !keys.has(key)).map((key) => `nothing knows the object ${key}`),
		...openPartIds.filter((id) => !multiparts.has(id)).map((id) => `nothing knows the multipart upload ${id}`),
	];
}

/** A page that is open all the time, as the browser's client behaves: it loads again when it may have missed something. */
class Page {
	readonly #url: string;
	readonly #jobs = new Map<number, string>();
	readonly #closed = new AbortController();

	constructor(url: string) {
		this.#url = url;
	}

	open(): void {
		void this.#follow();
	}

	close(): void {
		this.#closed.abort();
	}

	async wrongs(jobs: readonly Job[]): Promise<string[]> {
		const differing = () => jobs.filter(({ id, status }) => this.#jobs.get(id) !== status);
		for (const deadline = performance.now() + 10_000; performance.now() < deadline && differing().length > 0; ) {
			await sleep(200);
		}
		return differing().map(({ id, status }) => `a page shows job ${id} as ${this.#jobs.get(id)} instead of ${status}`);
	}

	async #follow(): Promise<void> {
		while (!this.#closed.signal.aborted) {
			try {
				const stream = await fetch(`${this.#url}/v1/events`, { headers: AUTHORIZED, signal: this.#closed.signal });
				if (stream.status === 200) {
					await this.#load();
					await this.#read(stream.body as ReadableStream<Uint8Array>);
				}
			} catch {
				// Tries again, as browsers do.
			}
			await sleep(500);
		}
	}

	async #load(): Promise<void> {
		for (const { id, status } of await allJobs(this.#url)) this.#jobs.set(id, status);
	}

	async #read(body: ReadableStream<Uint8Array>): Promise<void> {
		const decoder = new TextDecoder();
		let text = "";
		for await (const chunk of body) {
			text += decoder.decode(chunk, { stream: true });
			const events = text.split("\n\n");
			text = events.pop() ?? "";
			for (const event of events) {
				const [, type, data] = /^event: (\w+)\ndata: (.*)$/m.exec(event) ?? [];
				if (type === "resync") await this.#load();
				if (type !== "job" || data === undefined) continue;
				const { id, status } = JSON.parse(data) as Job;
				this.#jobs.set(id, status);
			}
		}
	}
}

const AUTHORIZED = { authorization: `Bearer ${DASHBOARDS_API_KEY}` };
const CALL_MS = 10_000;

async function call<T>(url: string, method: string, path: string, body?: object): Promise<T> {
	const answer = await fetch(url + path, {
		method,
		headers: { ...AUTHORIZED, ...(body === undefined ? {} : { "content-type": "application/json" }) },
		signal: AbortSignal.timeout(CALL_MS),
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
	return (await answer.json()) as T;
}
