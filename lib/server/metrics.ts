/** What Prometheus reads: for the operator the process and the whole instance, for a key its own organization. */

import { sql } from "kysely";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Context } from "../core/context.ts";
import { roomOf } from "../recordings/disk-room.ts";
import { isOnline } from "../runners/runner-view.ts";

const UNFINISHED = ["queued", "starting", "recording", "uploading"] as const;

type MetricsDeps = Pick<Context, "db" | "clock" | "videosDir" | "diskReserveBytes">;

export type Metrics = {
	contentType: string;
	/** Figures of one organization, or of the process, its disk and every organization. */
	text: (whose: { organizationId: number } | "instance") => Promise<string>;
};

/** Metrics of this process; the numbers of jobs, runners and recordings are counted when they are asked for. */
export function createMetrics(app: MetricsDeps): Metrics {
	const process = new Registry();
	collectDefaultMetrics({ register: process });
	return {
		contentType: process.contentType,
		async text(whose) {
			// A registry of its own for each call: those of two organizations at once must not mix.
			const registry = new Registry();
			await countThings(app, registry, whose === "instance" ? null : whose.organizationId);
			if (whose !== "instance") return registry.metrics();
			await measureDisk(app, registry);
			return Registry.merge([process, registry]).metrics();
		},
	};
}

async function countThings(app: MetricsDeps, registry: Registry, organizationId: number | null): Promise<void> {
	const registers = [registry];
	const byStatus = await app.db
		.selectFrom("job")
		.select(["status", sql<number>`count(*)`.as("count")])
		.where("status", "in", UNFINISHED)
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.groupBy("status")
		.execute();
	const jobs = new Gauge({
		name: "tapedeck_jobs",
		help: "Jobs that are not over, by status.",
		labelNames: ["status"],
		registers,
	});
	for (const status of UNFINISHED) jobs.set({ status }, byStatus.find((row) => row.status === status)?.count ?? 0);

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
		.selectFrom("recording")
		.select([sql<number>`count(*)`.as("count"), sql<number>`coalesce(sum(bytes), 0)`.as("bytes")])
		.$if(organizationId !== null, (query) => query.where("organizationId", "=", organizationId as number))
		.executeTakeFirstOrThrow();
	new Gauge({ name: "tapedeck_recordings", help: "Stored recordings.", registers }).set(stored.count);
	const bytes = new Gauge({ name: "tapedeck_recording_bytes", help: "Bytes of stored recordings.", registers });
	bytes.set(Number(stored.bytes));
}

async function measureDisk(app: MetricsDeps, registry: Registry): Promise<void> {
	const disk = await roomOf(app).look();
	const registers = [registry];
	const free = "Bytes that are free on the disk of the videos.";
	new Gauge({ name: "tapedeck_disk_free_bytes", help: free, registers }).set(disk.freeBytes);
	const full = "1 while uploads wait for space on the disk of the videos.";
	new Gauge({ name: "tapedeck_disk_full", help: full, registers }).set(disk.state === "full" ? 1 : 0);
}
