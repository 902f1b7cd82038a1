/** Tracks of jobs of which nothing was recorded: no recording takes them with it when it is deleted. */
import { UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import type { Context } from "#lib/core/context.ts";

const KEPT_MS = 30 * 86_400_000;
/** Deleted in one statement: meanwhile nothing else is written. */
const AT_ONCE = 100;

/** Deletes those that are a month old. Stops when `signal` aborts, and continues with the next sweep. */
export async function sweepTracks({ db, clock }: Pick<Context, "db" | "clock">, signal: AbortSignal): Promise<void> {
	const old = db
		.selectFrom("track")
		.innerJoin("job", "job.id", "track.jobId")
		.leftJoin("recording", "recording.jobId", "job.id")
		.select("track.id")
		.where("recording.id", "is", null)
		.where("job.status", "not in", UNFINISHED_STATUSES)
		.where("track.createdAt", "<", clock.now() - KEPT_MS)
		.limit(AT_ONCE);
	while (!signal.aborted) {
		const deleted = await db.deleteFrom("track").where("id", "in", old).returning("id").execute();
		if (deleted.length < AT_ONCE) return;
	}
}
