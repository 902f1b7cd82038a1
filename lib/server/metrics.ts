/** Prometheus metrics: of the process and the whole instance for the operator, of one organization for its API keys. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { sql } from "kysely";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { UNFINISHED_STATUSES } from "#lib/contract/job-status.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { isOnline } from "#lib/runners/runner-view.ts";

type MetricsDeps = Pick<RecordingContext, "db" | "clock" | "diskSpace">;

export type Metrics = {
	contentType: string;
	/** Metrics of one organization, or of the process, its disk and all organizations. */
	text: (scope: { organizationId: number } | "instance") => Promise<string>;
};

const LOOP_DELAY_RESOLUTION_MS = 10;
/** prom-client's own gauges of the event loop: coarser, because ours is the one to watch. */
const DEFAULT_LAG_PRECISION_MS = 100;

/** Metrics of this process. Unfinished jobs and runners are counted on each scrape; recordings by triggers. */
export function createMetrics(app: MetricsDeps): Metrics {
	const process = new Registry();
	collectDefaultMetrics({ register: process, eventLoopMonitoringPrecision: DEFAULT_LAG_PRECISION_MS });
	measureEventLoopDelay(process);
	return {
		contentType: process.contentType,
		async text(scope) {
			// A registry per call, so that simultaneous scrapes of two organizations do not mix.
			const registry = new Registry();
			const organizationId = scope === "instance" ? null : scope.organizationId;
			await countObjects(app, registry, organizationId);
			await countSessions(app, registry, organizationId);
			if (scope !== "instance") return registry.metrics();
			await measureDisk(app, registry);
			return Registry.merge([process, registry]).metrics();
		},
	};
}

/**
 * How late the event loop runs its timers: everything else in the process waits as long. Measured between two scrapes.
 */
function measureEventLoopDelay(registry: Registry): void {
	const delay = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });
	delay.enable();
	new Gauge({
		name: "tapedeck_event_loop_delay_seconds",
		help: "How late the event loop ran timers since the previous scrape: median, 99th percentile and maximum.",
		labelNames: ["quantile"],
		registers: [registry],
		collect() {
			// The samples include the period of the timer that takes them.
			const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_DELAY_RESOLUTION_MS / 1_000);
			this.set({ quantile: "0.5" }, seconds(delay.percentile(50)));
			this.set({ quantile: "0.99" }, seconds(delay.percentile(99)));
			this.set({ quantile: "1" }, seconds(delay.max));
			delay.reset();
		},
	});
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
		.select(["sessionId", "lastSeenAt"])
		.where("removedAt", "is", null)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.execute();
	const online = known.filter((runner) => isOnline(runner, app.clock.now())).length;
	const runners = new Gauge({ name: "tapedeck_runners", help: "Runners by state.", labelNames: ["state"], registers });
	runners.set({ state: "online" }, online);
	runners.set({ state: "offline" }, known.length - online);

	const stored = await app.db
		.selectFrom("organizationUse")
		.select([sql<number>`coalesce(sum(recordings), 0)`.as("count"), sql<number>`coalesce(sum(bytes), 0)`.as("bytes")])
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.executeTakeFirstOrThrow();
	new Gauge({ name: "tapedeck_recordings", help: "Stored recordings.", registers }).set(Number(stored.count));
	const bytes = new Gauge({ name: "tapedeck_recording_bytes", help: "Bytes of stored recordings.", registers });
	bytes.set(Number(stored.bytes));
}

/** How long back the sessions without a recording count. */
const COVERAGE_MS = 86_400_000;

async function countSessions(app: MetricsDeps, registry: Registry, organizationId: number | null): Promise<void> {
	const row = await app.db
		.selectFrom("gridSession")
		.select([sql<number>`count(*)`.as("seen"), sql<number>`coalesce(sum(recorded), 0)`.as("recorded")])
		.where("startedAt", ">=", app.clock.now() - COVERAGE_MS)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.executeTakeFirstOrThrow();
	const sessions = new Gauge({
		name: "tapedeck_grid_sessions",
		help: "Sessions of grids that runners saw in the last 24 hours, by whether they were recorded.",
		labelNames: ["recorded"],
		registers: [registry],
	});
	sessions.set({ recorded: "true" }, Number(row.recorded));
	sessions.set({ recorded: "false" }, Number(row.seen) - Number(row.recorded));
}

async function measureDisk(app: MetricsDeps, registry: Registry): Promise<void> {
	const disk = await app.diskSpace.poll();
	const registers = [registry];
	const free = "Free bytes on the disk that stores the videos.";
	new Gauge({ name: "tapedeck_disk_free_bytes", help: free, registers }).set(disk.freeBytes);
	const full = "1 while uploads are paused because the disk that stores the videos is full.";
	new Gauge({ name: "tapedeck_disk_full", help: full, registers }).set(disk.state === "full" ? 1 : 0);
}
