/**
 * Starts the jobs of schedules whose time has come. Of several dashboards, one does it at a time (lib/db/claims.ts), and
 * moving `nextAt` on by compare-and-set makes each start happen once, on whichever dashboard.
 */
import { isUnconditional, type NewJobBody } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import type { StopRule } from "@tapedeck/contract/stop-condition.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { isTapedeckError, type TapedeckError } from "#lib/core/errors.ts";
import { openStopRule } from "#lib/lifecycle/stop-rule.ts";
import { publishQueued, type QueuedJob } from "./create-job.ts";
import { type ScheduleRow, startAfter, startJob } from "./schedules.ts";

/** A start that is later than this is not made up for. Shorter than the shortest period. */
const LATE_MS = 5_000;

const AWAY = "The dashboard was not running at that time, or its clock was changed.";
const UNREADABLE =
	"Its grid password was encrypted with a secret key that is missing. Delete this schedule and create it again.";

/** A schedule whose pause ends may start a job sooner than the next look. It starts so much late at most. */
export const LOOK_MS = 2_000;

/** Run by a timer. @returns milliseconds until the next start, if that is before the next look; null otherwise. */
export async function startScheduledJobs(ctx: Context): Promise<number | null> {
	const now = ctx.clock.now();
	const soon = await ctx.db
		.selectFrom("schedule")
		.selectAll()
		.where("nextAt", "is not", null)
		.where(({ or, eb }) =>
			or([
				eb("nextAt", "<=", now + LOOK_MS),
				// The clock was set back: otherwise nothing would start until it is there again.
				eb("nextAt", ">", eb(eb.val(now), "+", eb(eb.ref("everySeconds"), "*", 1_000))),
			]),
		)
		.orderBy("nextAt")
		.execute();
	let next: number | null = null;
	for (const row of soon) {
		const waitsMs = (row.nextAt ?? 0) - now;
		if (waitsMs > 0 && waitsMs <= LOOK_MS) {
			next ??= waitsMs;
			continue;
		}
		const own = { ...ctx, actor: { kind: "system", organizationId: row.organizationId } as const };
		const queued = await inTransaction(own, (ctx) => start(ctx, row, now));
		if (queued !== null) publishQueued(own, queued);
	}
	return next;
}

/** @returns the job that it created, or null. */
async function start(ctx: Context, row: ScheduleRow, now: number): Promise<QueuedJob | null> {
	const { id, nextAt } = row;
	if (nextAt === null) return null;
	const claimed = await ctx.db
		.updateTable("schedule")
		.set({ nextAt: startAfter(row, now) })
		.where("id", "=", id)
		.where("nextAt", "=", nextAt)
		.returning("id")
		.executeTakeFirst();
	if (claimed === undefined || nextAt > now) return null;
	if (now - nextAt > LATE_MS) return skip(ctx, id, AWAY, startsBetween(row, nextAt, now));
	const running = await unfinishedJob(ctx, row);
	if (running !== null) return skip(ctx, id, `The last job, ${running}, has not ended.`);
	const job = readJob(ctx, row);
	if (job === null) return pause(ctx, id, UNREADABLE);
	try {
		return await startJob(ctx, id, job);
	} catch (error) {
		if (!isTapedeckError(error)) throw error;
		return isRunnerGone(error) ? pause(ctx, id, error.faults[0]?.message ?? "") : skip(ctx, id, error.message);
	}
}

/** The number of regular starts from `first` to `now`. */
function startsBetween({ everySeconds, endsAt }: ScheduleRow, first: number, now: number): number {
	const last = endsAt === null ? now : Math.min(now, endsAt - 1);
	return Math.floor((last - first) / (everySeconds * 1_000)) + 1;
}

/** @returns the id of its last job if that has not ended. */
async function unfinishedJob(ctx: Context, { lastJobId }: ScheduleRow): Promise<number | null> {
	if (lastJobId === null) return null;
	const job = await ctx.db.selectFrom("job").select("status").where("id", "=", lastJobId).executeTakeFirst();
	return job === undefined || isEnded(job.status) ? null : lastJobId;
}

/** @returns null if no key decrypts its password. */
function readJob(ctx: Context, row: ScheduleRow): NewJobBody | null {
	const job = JSON.parse(row.job) as NewJobBody;
	if (isUnconditional(job)) return job;
	const { gridPasswordSealed } = row;
	const columns = { ...job, stopConditionConfig: JSON.stringify(job.stopConditionConfig), gridPasswordSealed };
	try {
		const rule: StopRule = openStopRule(ctx, columns);
		return { ...job, ...rule };
	} catch {
		return null;
	}
}

/** A runner that was removed does not come back. */
const isRunnerGone = ({ faults }: TapedeckError): boolean =>
	faults.some(({ path, code }) => path === "runnerId" && code === "not_found");

async function skip(ctx: Context, id: number, reason: string, count = 1): Promise<null> {
	await ctx.db
		.updateTable("schedule")
		.set(({ eb }) => ({
			skippedStarts: eb("skippedStarts", "+", count),
			lastSkipAt: ctx.clock.now(),
			lastSkipReason: reason,
		}))
		.where("id", "=", id)
		.execute();
	return null;
}

async function pause(ctx: Context, id: number, pausedBecause: string): Promise<null> {
	const pausedAt = ctx.clock.now();
	await ctx.db.updateTable("schedule").set({ pausedAt, pausedBecause, nextAt: null }).where("id", "=", id).execute();
	return null;
}
