/**
 * Three dashboards on one PostgreSQL behind PgBouncer and a balancer without knowledge of them, with videos on their
 * disks or in a bucket, ten simulated runners and a real one, and random faults of nodes, database, bucket and the
 * networks between them. Afterwards, every acknowledged job must have its whole recording, each dashboard must play it,
 * and the database and the bucket must have no orphans. The data that a page received by events must equal the data
 * that a newly opened page loads.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { startOwnPostgres } from "#test/databases/own-postgres.ts";
import { cachedFor, type SettableClock, settableClock } from "#test/displays/clock.ts";
import { SimulatedRecorder } from "#test/runners/simulated-recorder.ts";
import { DASHBOARDS_RUNNER_TOKEN, type DashboardProcess, startDashboards } from "#test/servers/dashboards.ts";
import { setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { startPgBouncer } from "#test/servers/pgbouncer.ts";
import { startRoundRobin } from "#test/servers/round-robin.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { breakNodes, wait } from "./break-nodes.ts";
import {
	crashedNodes,
	lapsedNodes,
	muteNodes,
	Page,
	wrongsOfJobs,
	wrongsOfRows,
	wrongsOfVideos,
} from "./check-nodes.ts";
import type { RecordingResult } from "./check-recording.ts";
import { diagnose, reportOptions } from "./diagnose-nodes.ts";
import { EventReceiver, RECEIVER_NETWORK } from "./event-receiver.ts";
import { allJobs, type Cluster, call } from "./node-cluster.ts";
import { NodeRecorder } from "./node-recorder.ts";
import { type Random, randomFrom } from "./random.ts";

const NODES = 3;
const RUNNERS = 10;
const JOB_EVERY_MS = [200, 1_500] as const;
const SETTLE_MS = 150_000;

export interface NodeChaosReport {
	seed: number;
	seconds: number;
	faults: Record<string, number>;
	jobs: number;
	/** Recordings of the real runner, checked frame by frame. */
	recordings: RecordingResult[];
	/** A sentence for each thing that is wrong. */
	problems: string[];
}

export interface NodeChaosOptions {
	seconds: number;
	seed: number;
	/** Whether finished videos are stored in a bucket. */
	bucket: boolean;
	log: (line: string) => void;
}

/** @param pieces the chunks of the video that every job records. */
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
		const clocks: SettableClock[] = [];
		const { nodes } = opened(
			await startDashboards(NODES, throughProxy(pooled, pgBouncer.url), async (port, dataDir) => {
				const network = opened(await startTcpProxy(`http://127.0.0.1:${port}`));
				nodeNetworks.push(network);
				const folder = await mkdtemp(join(tmpdir(), "tapedeck-clock-"));
				opened({ stop: () => rm(folder, { recursive: true, force: true }) });
				const clock = await settableClock(folder);
				clocks.push(clock);
				return {
					TAPEDECK_DATABASE_DIRECT_URL: throughProxy(direct, postgres.url),
					TAPEDECK_INTERNAL_URL: network.url,
					TAPEDECK_LIMIT_QUEUED_JOBS: "0",
					TAPEDECK_LOG_LEVEL: "warn",
					TAPEDECK_WEBHOOK_ALLOW: RECEIVER_NETWORK,
					NODE_OPTIONS: reportOptions(dataDir),
					...cachedFor(clock, 1),
					...(s3 === null ? {} : { TAPEDECK_STORAGE_URL: s3.url }),
				};
			}),
		);
		const { port } = opened(await startRoundRobin(nodes.map(({ port }) => port)));
		const url = `http://127.0.0.1:${port}`;
		const databaseNetworks = [pooled, direct];
		const broken = new Set<DashboardProcess>();
		const recorder = opened(await NodeRecorder.start(url));
		const receiver = opened(await EventReceiver.start((...request) => call(url, ...request)));
		return await runOn(
			{ postgres, pgBouncer, s3, databaseNetworks, nodeNetworks, nodes, clocks, broken, url, port },
			options,
			pieces,
			{ recorder, receiver },
		);
	} finally {
		for (const close of closing) await close().catch(() => undefined);
	}
}

async function runOn(
	cluster: Cluster,
	{ seconds, seed, log }: NodeChaosOptions,
	pieces: readonly Buffer[],
	{ recorder, receiver }: { recorder: NodeRecorder; receiver: EventReceiver },
): Promise<NodeChaosReport> {
	const random = randomFrom(seed);
	const lastFailures = new Map<number, string>();
	const runners = Array.from(
		{ length: RUNNERS },
		(_, index) =>
			new SimulatedRecorder({ url: cluster.url, runnerToken: DASHBOARDS_RUNNER_TOKEN }, `runner ${index + 1}`, pieces, {
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
			recorder.createJobs(random, ids, ending),
			breakNodes(cluster, random, faults, log, ending),
		]);
		log("every fault is over; waiting for the last jobs to end");
		lastFailures.clear();
		const jobs = await settled(cluster, ids);
		const crashed = crashedNodes(cluster);
		const mute = await muteNodes(cluster);
		const logDiagnosis = async () => {
			for (const [index, message] of lastFailures) log(`since then, runner ${index + 1} last failed with: ${message}`);
			for (const line of await diagnose(cluster)) log(line);
		};
		// At once: the longer it takes, the less is left of what went wrong.
		const ofJobs = wrongsOfJobs(ids, jobs);
		const isDiagnosed = mute.length > 0 || ofJobs.length > 0;
		if (isDiagnosed) await logDiagnosis();
		const report = { seed, seconds, faults, jobs: ids.length };
		if (mute.length > 0) return { ...report, recordings: [], problems: [...crashed, ...mute] };
		const lapsed = await lapsedNodes(cluster);
		const videos = await wrongsOfVideos(cluster, jobs, (id) => (recorder.has(id) ? null : pieces));
		// When every dashboard plays every video.
		const recorded = await recorder.check(jobs);
		const problems = [
			...crashed,
			...lapsed,
			...ofJobs,
			...videos,
			...(await wrongsOfRows(cluster)),
			...(await receiver.problems((...request) => call(cluster.url, ...request), jobs)),
			...(await page.problems(jobs)),
			...recorded.problems,
		];
		if (problems.length > 0 && !isDiagnosed) await logDiagnosis();
		return { ...report, recordings: recorded.recordings, problems };
	} finally {
		page.close();
		for (const runner of runners) runner.kill();
	}
}

async function createJobs(
	{ url }: Cluster,
	runners: readonly SimulatedRecorder[],
	random: Random,
	ids: number[],
	ending: AbortSignal,
): Promise<void> {
	for (let count = 0; !ending.aborted; count++) {
		const { runnerId } = runners[count % runners.length] as SimulatedRecorder;
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
		const job = await call<Job>(url, "POST", "/v1/jobs", body).catch(() => null);
		if (job !== null) ids.push(job.id);
		await wait(random.whole(...JOB_EVERY_MS), ending);
	}
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
