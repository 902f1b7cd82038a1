/** Prometheus metrics: of the process and the whole instance for the operator, of one organization for its API keys. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { FAILED_REASONS, type FailedReason, STOP_REASONS, UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { sql } from "kysely";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Measures } from "#lib/core/context.ts";
import type { DashboardNode } from "#lib/nodes/dashboard-node.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { isForThisRunner, isOnline } from "#lib/runners/runner-view.ts";
import { OBJECT_FAULTS, type ObjectFault } from "#lib/s3/object-fault.ts";
import { isAnswered } from "./database-away.ts";

type MetricsDeps = Pick<RecordingContext, "db" | "clock" | "diskSpace" | "leases" | "bucket"> & {
	node: Pick<DashboardNode, "count" | "findGone"> | null;
};

export type Metrics = Measures & {
	/** A call was answered that operators watch. @param seconds it took */
	answered: (call: "poll" | "piece", seconds: number) => void;
	/** A call was passed on to the dashboard that has the files it needs. */
	passedOn: () => void;
	/** A notification went to PostgreSQL and back. */
	notified: (seconds: number) => void;
	/** A request to the object store failed. */
	objectStoreFailed: (fault: ObjectFault) => void;

	contentType: string;
	/** Metrics of one organization, or of the process, its disk and all organizations. */
	text: (scope: { organizationId: number } | "instance") => Promise<string>;
};

/** Each sample wakes an idle process, and the alert watches for delays twice as long. */
const LOOP_DELAY_RESOLUTION_MS = 50;
/** prom-client's own gauges of the event loop: coarser, because ours is the one to watch. */
const DEFAULT_LAG_PRECISION_MS = 1_000;

/** Metrics of this process. Unfinished jobs and runners are counted on each scrape; recordings by triggers. */
export function createMetrics(app: MetricsDeps): Metrics {
	const process = new Registry();
	collectDefaultMetrics({ register: process, eventLoopMonitoringPrecision: DEFAULT_LAG_PRECISION_MS });
	measureEventLoopDelay(process);
	return {
		...measuresOf(process, app),
		contentType: process.contentType,
		async text(scope) {
			// A registry per call, so that simultaneous scrapes of two organizations do not mix.
			const registry = new Registry();
			const organizationId = scope === "instance" ? null : scope.organizationId;
			const count = async () => {
				await countObjects(app, registry, organizationId);
				await countFailuresInARow(app, registry, organizationId);
				await countSessions(app, registry, organizationId);
				await countHeldRetention(app, registry, organizationId);
				await countWaitingDeliveries(app, registry, organizationId);
				if (scope === "instance") await findGoneNodes(app, registry);
			};
			if (scope !== "instance") {
				await count();
				return registry.metrics();
			}
			const isUp = await isAnswered(count());
			const own = new Registry();
			await measureDisk(app, own);
			const help = "1 while the database answers; without it, the figures that it counts are left out.";
			new Gauge({ name: "tapedeck_database_up", help, registers: [own] }).set(isUp ? 1 : 0);
			return Registry.merge(isUp ? [process, own, registry] : [process, own]).metrics();
		},
	};
}

/** Measures of this process since it started. Prometheus adds up the processes. */
function measuresOf(registry: Registry, { leases, node, bucket }: MetricsDeps): Omit<Metrics, "contentType" | "text"> {
	const registers = [registry];
	const ends = new Counter({
		name: "tapedeck_job_ends_total",
		help: "Jobs that ended, by the reason and the verdict on the recording (none without a recording).",
		labelNames: ["reason", "verdict"],
		registers,
	});
	// Starts at zero, so that Prometheus sees the first end as an increase.
	for (const verdict of ["ok", "black", "frozen", "none"]) {
		for (const reason of STOP_REASONS) ends.inc({ reason, verdict }, 0);
	}
	const playable = new Histogram({
		name: "tapedeck_playable_seconds",
		help: "From the end of a capture until its recording plays.",
		buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
		registers,
	});
	const calls = new Histogram({
		name: "tapedeck_runner_call_seconds",
		help: "Duration of runners' calls: polls (which wait for work), and pieces of recordings.",
		labelNames: ["call"],
		buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 6, 10],
		registers,
	});
	for (const call of ["poll", "piece"]) calls.zero({ call });
	const passed = new Counter({
		name: "tapedeck_calls_passed_on_total",
		help: "Calls that were passed on to the dashboard that has the files they need.",
		registers,
	});
	const delays = new Histogram({
		name: "tapedeck_notification_seconds",
		help: "Round-trip time of this dashboard's notifications through PostgreSQL.",
		buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
		registers,
	});
	const storeErrors = new Counter({
		name: "tapedeck_object_store_errors_total",
		help: "Requests to the object store that failed, by what was wrong. Each attempt counts.",
		labelNames: ["fault"],
		registers,
	});
	for (const fault of OBJECT_FAULTS) storeErrors.inc({ fault }, 0);
	if (bucket !== null) {
		new Gauge({
			name: "tapedeck_object_store_up",
			help: "1 while the object store answers, 0 while it does not. It is asked every 30 seconds when nothing else asks it.",
			registers,
			collect() {
				this.set(bucket.answers ? 1 : 0);
			},
		});
	}
	const refusals = new Counter({
		name: "tapedeck_quota_refusals_total",
		help: "Uploads, and pieces of them, that were refused because they did not fit into their organization's storage quota.",
		registers,
	});
	const gates = new Counter({
		name: "tapedeck_gate_decisions_total",
		help: "Jobs with failed tests that asked whether CI may pass: passed, or shut.",
		labelNames: ["result"],
		registers,
	});
	for (const result of ["passed", "shut"]) gates.inc({ result }, 0);
	const attempts = new Counter({
		name: "tapedeck_webhook_attempts_total",
		help: "Requests of webhooks, by what became of them: delivered, to be retried, or failed for the last time.",
		labelNames: ["result"],
		registers,
	});
	for (const result of ["delivered", "retried", "failed"]) attempts.inc({ result }, 0);
	new Gauge({
		name: "tapedeck_upload_takeovers",
		help: "Uploads that this dashboard took over from others that had died, since it started.",
		registers,
		collect() {
			this.set(leases.takeovers);
		},
	});
	new Gauge({
		name: "tapedeck_dashboards",
		help: "Dashboards on this database that run, as far as this one knows.",
		registers,
		collect() {
			this.set(node?.count ?? 1);
		},
	});
	return {
		jobEnded: (reason, verdict) => ends.inc({ reason, verdict: verdict ?? "none" }),
		playableAfter: (seconds) => playable.observe(seconds),
		quotaRefused: () => refusals.inc(),
		gateDecided: (result) => gates.inc({ result }),
		webhookAttempted: (result) => attempts.inc({ result }),
		answered: (call, seconds) => calls.observe({ call }, seconds),
		passedOn: () => passed.inc(),
		notified: (seconds) => delays.observe(seconds),
		objectStoreFailed: (fault) => storeErrors.inc({ fault }),
	};
}

/**
 * The delay of timers on the event loop, which delays everything else in the process as well. Measured between two
 * scrapes, so not before the first one: a dashboard that nobody scrapes is not woken.
 */
function measureEventLoopDelay(registry: Registry): void {
	const delay = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });
	new Gauge({
		name: "tapedeck_event_loop_delay_seconds",
		help: "Delay of timers on the event loop since the previous scrape: median, 99th percentile and maximum.",
		labelNames: ["quantile"],
		registers: [registry],
		collect() {
			// The samples include the period of the timer that takes them.
			const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_DELAY_RESOLUTION_MS / 1_000);
			this.set({ quantile: "0.5" }, seconds(delay.percentile(50)));
			this.set({ quantile: "0.99" }, seconds(delay.percentile(99)));
			this.set({ quantile: "1" }, seconds(delay.max));
			delay.reset();
			delay.enable();
		},
	});
}

/** Deliveries of webhooks that wait, those of paused webhooks included. */
async function countWaitingDeliveries({ db }: MetricsDeps, registry: Registry, organizationId: number | null) {
	const { count } = await db
		.selectFrom("webhookDelivery")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("nextAt", "is not", null)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.executeTakeFirstOrThrow();
	const help = "Deliveries of webhooks that wait for their first or next attempt, or for the end of a pause.";
	new Gauge({ name: "tapedeck_webhook_deliveries_waiting", help, registers: [registry] }).set(Number(count));
}

async function countObjects(app: MetricsDeps, registry: Registry, organizationId: number | null): Promise<void> {
	const registers = [registry];
	const byStatus = await app.db
		.selectFrom("job")
		.select(["status", sql<number>`count(*)`.as("count")])
		.where("status", "in", UNFINISHED_STATUSES)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.groupBy("status")
		.execute();
	const jobs = new Gauge({
		name: "tapedeck_jobs",
		help: "Unfinished jobs, by status.",
		labelNames: ["status"],
		registers,
	});
	for (const status of UNFINISHED_STATUSES)
		jobs.set({ status }, byStatus.find((row) => row.status === status)?.count ?? 0);

	const known = await app.db
		.selectFrom("runner")
		.select(["id", "sessionId", "lastSeenAt", "waitingBytes"])
		.where("removedAt", "is", null)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.execute();
	const offline = new Set(known.filter((runner) => !isOnline(runner, app.clock.now())).map(({ id }) => id));
	const runners = new Gauge({ name: "tapedeck_runners", help: "Runners by state.", labelNames: ["state"], registers });
	runners.set({ state: "online" }, known.length - offline.size);
	runners.set({ state: "offline" }, offline.size);
	const queues = await app.db
		.selectFrom("job")
		.select(["runnerId", sql<number>`count(*)`.as("count")])
		.where("status", "=", "queued")
		.where(isForThisRunner)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.groupBy("runnerId")
		.execute();
	const stranded = new Gauge({
		name: "tapedeck_offline_runner_jobs",
		help: "Jobs that wait for a particular runner, which is offline.",
		registers,
	});
	const strandedQueues = queues.filter(({ runnerId }) => offline.has(runnerId));
	stranded.set(strandedQueues.reduce((sum, { count }) => sum + Number(count), 0));
	const waiting = new Gauge({
		name: "tapedeck_spool_bytes",
		help: "Bytes of video that runners have recorded and not uploaded yet, as they said last, by the state of the runner.",
		labelNames: ["state"],
		registers,
	});
	const bytesOf = (some: typeof known) => some.reduce((sum, runner) => sum + Number(runner.waitingBytes), 0);
	waiting.set({ state: "online" }, bytesOf(known.filter(({ id }) => !offline.has(id))));
	waiting.set({ state: "offline" }, bytesOf(known.filter(({ id }) => offline.has(id))));

	const stored = await app.db
		.selectFrom("organizationUse")
		.select([sql<number>`coalesce(sum(recordings), 0)`.as("count"), sql<number>`coalesce(sum(bytes), 0)`.as("bytes")])
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.executeTakeFirstOrThrow();
	new Gauge({ name: "tapedeck_recordings", help: "Stored recordings.", registers }).set(Number(stored.count));
	const bytes = new Gauge({ name: "tapedeck_recording_bytes", help: "Bytes of stored recordings.", registers });
	bytes.set(Number(stored.bytes));
}

/** The number of newest jobs that are read. */
const RUN_JOBS = 1_000;
const RUN_MS = 3_600_000;

type EndedJob = { runnerId: number; organizationId: number; stopReason: string | null; status: string };

/** Counts consecutive jobs that failed for the same reason: the last ones of a runner or of an organization. */
async function countFailuresInARow(app: MetricsDeps, registry: Registry, organizationId: number | null): Promise<void> {
	const newest = await app.db
		.selectFrom("job")
		.select(["runnerId", "organizationId", "status", "stopReason", "endedAt"])
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.orderBy("id", "desc")
		.limit(RUN_JOBS)
		.execute();
	const since = app.clock.now() - RUN_MS;
	const ended = newest
		.filter(({ status, endedAt }) => (status === "failed" || status === "completed") && (endedAt ?? 0) >= since)
		.sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
	const gauge = new Gauge({
		name: "tapedeck_failed_jobs_in_a_row",
		help: "The most jobs that failed one after the other for the same reason, the last ones of a runner or of an organization, within an hour.",
		labelNames: ["reason"],
		registers: [registry],
	});
	for (const reason of FAILED_REASONS) gauge.set({ reason }, longestRun(ended, reason));
}

/** @param ended newest first. */
function longestRun(ended: readonly EndedJob[], reason: FailedReason): number {
	const runs = new Map<string, { length: number; goesOn: boolean }>();
	for (const { runnerId, organizationId, status, stopReason } of ended) {
		for (const whose of [`runner ${runnerId}`, `organization ${organizationId}`]) {
			const run = runs.get(whose) ?? { length: 0, goesOn: true };
			runs.set(whose, run);
			run.goesOn &&= status === "failed" && stopReason === reason;
			if (run.goesOn) run.length += 1;
		}
	}
	return Math.max(0, ...[...runs.values()].map(({ length }) => length));
}

/** The period in which sessions without a recording are counted. */
const COVERAGE_MS = 86_400_000;

async function countSessions(app: MetricsDeps, registry: Registry, organizationId: number | null): Promise<void> {
	const row = await app.db
		.selectFrom("gridSession")
		.select([
			sql<number>`count(*)`.as("seen"),
			sql<number>`coalesce(sum(recorded), 0)`.as("recorded"),
			sql<number>`coalesce(sum(case when recorded = 0 and reason = 'not_wanted' then 1 else 0 end), 0)`.as("notWanted"),
		])
		.where("startedAt", ">=", app.clock.now() - COVERAGE_MS)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.executeTakeFirstOrThrow();
	const sessions = new Gauge({
		name: "tapedeck_grid_sessions",
		help: "Sessions of grids that runners saw in the last 24 hours, by whether they were recorded.",
		labelNames: ["recorded"],
		registers: [registry],
	});
	const [seen, recorded, notWanted] = [Number(row.seen), Number(row.recorded), Number(row.notWanted)];
	sessions.set({ recorded: "true" }, recorded);
	sessions.set({ recorded: "false" }, seen - recorded - notWanted);
	// The clients of these sessions requested no recording, so they are no reason for an alert.
	sessions.set({ recorded: "not_wanted" }, notWanted);
}

async function countHeldRetention(app: MetricsDeps, registry: Registry, organizationId: number | null): Promise<void> {
	const row = await app.db
		.selectFrom("clockWatch")
		.select(sql<number>`count(*)`.as("count"))
		.where("jumpedAt", "is not", null)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.executeTakeFirstOrThrow();
	new Gauge({
		name: "tapedeck_retention_held",
		help: "Organizations in which nothing is deleted by age, because the clock has jumped ahead and nobody has confirmed it.",
		registers: [registry],
	}).set(Number(row.count));
}

async function measureDisk(app: MetricsDeps, registry: Registry): Promise<void> {
	const disk = await app.diskSpace.poll();
	const registers = [registry];
	const free = "Free bytes on the disk that stores the videos.";
	new Gauge({ name: "tapedeck_disk_free_bytes", help: free, registers }).set(disk.freeBytes);
	const full = "1 while uploads are paused because the disk that stores the videos is full.";
	new Gauge({ name: "tapedeck_disk_full", help: full, registers }).set(disk.state === "full" ? 1 : 0);
	const reserve = "Bytes on that disk that videos leave free: uploads are paused when no more are left.";
	new Gauge({ name: "tapedeck_disk_reserve_bytes", help: reserve, registers }).set(disk.reserveBytes);
}

async function findGoneNodes({ node }: MetricsDeps, registry: Registry): Promise<void> {
	const gauge = new Gauge({
		name: "tapedeck_node_gone_seconds",
		help: "For each node that ended without stopping, or has videos on its disk, and has not returned: how long ago. Until it is removed.",
		labelNames: ["node", "url"],
		registers: [registry],
	});
	for (const { id, url, seconds } of (await node?.findGone()) ?? []) gauge.set({ node: id, url }, seconds);
}
