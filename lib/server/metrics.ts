/** What an operator's Prometheus reads: the process, and what the whole installation does now. */

import { sql } from "kysely";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Context } from "../core/context.ts";
import { roomOf } from "../recordings/disk-room.ts";
import { isOnline } from "../runners/runner-view.ts";

const UNFINISHED = ["queued", "starting", "recording", "uploading"] as const;

export type Metrics = { contentType: string; text: () => Promise<string> };

/** Metrics of this process; the numbers of jobs, runners and recordings are counted when they are asked for. */
export function createMetrics(app: Pick<Context, "db" | "clock" | "videosDir" | "diskReserveBytes">): Metrics {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const jobs = new Gauge({
		name: "tapedeck_jobs",
		help: "Jobs that are not over, by status.",
		labelNames: ["status"],
		registers: [registry],
	});
	const runners = new Gauge({
		name: "tapedeck_runners",
		help: "Runners by state.",
		labelNames: ["state"],
		registers: [registry],
	});
	const recordings = new Gauge({ name: "tapedeck_recordings", help: "Stored recordings.", registers: [registry] });
	const bytes = new Gauge({
		name: "tapedeck_recording_bytes",
		help: "Bytes of stored recordings.",
		registers: [registry],
	});
	const free = new Gauge({
		name: "tapedeck_disk_free_bytes",
		help: "Bytes that are free on the disk of the videos.",
		registers: [registry],
	});
	const full = new Gauge({
		name: "tapedeck_disk_full",
		help: "1 while uploads wait for room on the disk of the videos.",
		registers: [registry],
	});
	return {
		contentType: registry.contentType,
		async text() {
			const byStatus = await app.db
				.selectFrom("job")
				.select(["status", sql<number>`count(*)`.as("count")])
				.where("status", "in", UNFINISHED)
				.groupBy("status")
				.execute();
			for (const status of UNFINISHED) jobs.set({ status }, byStatus.find((row) => row.status === status)?.count ?? 0);
			const known = await app.db
				.selectFrom("runner")
				.select(["sessionId", "lastSeenAt"])
				.where("removedAt", "is", null)
				.execute();
			const online = known.filter((runner) => isOnline(runner, app.clock.now())).length;
			runners.set({ state: "online" }, online);
			runners.set({ state: "offline" }, known.length - online);
			const stored = await app.db
				.selectFrom("recording")
				.select([sql<number>`count(*)`.as("count"), sql<number>`coalesce(sum(bytes), 0)`.as("bytes")])
				.executeTakeFirstOrThrow();
			recordings.set(stored.count);
			bytes.set(Number(stored.bytes));
			const disk = await roomOf(app).look();
			free.set(disk.freeBytes);
			full.set(disk.state === "full" ? 1 : 0);
			return registry.metrics();
		},
	};
}
