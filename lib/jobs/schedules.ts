/** `/v1/schedules`: jobs that are created again and again. The starts themselves are in start-scheduled-jobs.ts. */
import { isUnconditional, type NewJobBody } from "@tapedeck/contract/job.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { CreateSchedule, Schedule } from "@tapedeck/contract/schedule.ts";
import type { Selectable } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { assertCapable, CAPABILITY_OF } from "#lib/core/capabilities.ts";
import { type Context, creatorOf, inTransaction } from "#lib/core/context.ts";
import { invalid, isTapedeckError, notFound, TapedeckError } from "#lib/core/errors.ts";
import { futureTime, timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { ScheduleTable } from "#lib/db/schema.ts";
import { stopRuleColumns } from "#lib/lifecycle/stop-rule.ts";
import { publishQueued, type QueuedJob, queueJob } from "./create-job.ts";

export type ScheduleRow = Selectable<ScheduleTable>;

/** The number that one organization can have. */
export const MAX_SCHEDULES = 100;

export async function listSchedules(ctx: Context): Promise<Page<Schedule>> {
	const rows = await ownSchedules(ctx).orderBy("schedule.id").execute();
	return { data: rows.map(scheduleView), nextCursor: null };
}

/** @throws not_found */
export async function readSchedule(ctx: Context, id: number): Promise<Schedule> {
	const row = await ownSchedules(ctx).where("schedule.id", "=", id).executeTakeFirst();
	if (row === undefined) throw notFound("schedule");
	return scheduleView(row);
}

/**
 * Creates the schedule and its first job, both or neither.
 * @throws what createJob throws, with paths below `job`; conflict if there are too many schedules.
 */
export async function createSchedule(ctx: Context, body: CreateSchedule): Promise<Schedule> {
	assertCapable(ctx, CAPABILITY_OF[body.job.type]);
	const { organizationId } = ctx.actor;
	const createdAt = ctx.clock.now();
	const endsAt = futureTime("endsAt", body.endsAt, createdAt);
	const { job, gridPasswordSealed } = storedJob(ctx, body.job);
	const { id, queued } = await inTransaction(ctx, async (ctx) => {
		await assertNotTooMany(ctx);
		const row = await ctx.db
			.insertInto("schedule")
			.values({
				organizationId,
				everySeconds: body.everySeconds,
				endsAt,
				gridPasswordSealed,
				createdAt,
				job,
				nextAt: startAfter({ everySeconds: body.everySeconds, endsAt, createdAt }, createdAt),
				createdBy: creatorOf(ctx)?.name ?? null,
			})
			.returningAll()
			.executeTakeFirstOrThrow();
		const queued = await startJob(ctx, row.id, body.job).catch((error) => {
			throw isTapedeckError(error) ? belowJob(error) : error;
		});
		await audit(ctx, { action: "schedule.created", detail: named(row) });
		return { id: row.id, queued };
	});
	publishQueued(ctx, queued);
	return readSchedule(ctx, id);
}

/** The body without the grid's password, as JSON, and the encrypted password. */
function storedJob(ctx: Context, job: NewJobBody): { job: string; gridPasswordSealed: string | null } {
	if (isUnconditional(job)) return { job: JSON.stringify(job), gridPasswordSealed: null };
	const { stopConditionConfig, gridPasswordSealed } = stopRuleColumns(ctx, job);
	return { job: JSON.stringify({ ...job, stopConditionConfig: JSON.parse(stopConditionConfig) }), gridPasswordSealed };
}

/** Creates the next job of a schedule. @param ctx its database must be a transaction. @throws like createJob. */
export async function startJob(ctx: Context, id: number, job: NewJobBody): Promise<QueuedJob> {
	// None of its jobs has a creator: the person who created the schedule may be gone.
	const system = { ...ctx, actor: { kind: "system", organizationId: ctx.actor.organizationId } as const };
	const queued = await queueJob(system, job, id);
	await ctx.db
		.updateTable("schedule")
		.set(({ eb }) => ({ lastJobId: queued.job.id, startedJobs: eb("startedJobs", "+", 1) }))
		.where("id", "=", id)
		.execute();
	return queued;
}

/** @param paused false for its next regular start. A repeated call changes nothing. @throws not_found */
export async function pauseSchedule(ctx: Context, id: number, paused: boolean): Promise<Schedule> {
	await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.selectFrom("schedule")
			.selectAll()
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.executeTakeFirst();
		if (row === undefined) throw notFound("schedule");
		const now = ctx.clock.now();
		const changed = await ctx.db
			.updateTable("schedule")
			.set(
				paused
					? { pausedAt: now, pausedBecause: null, nextAt: null }
					: { pausedAt: null, pausedBecause: null, nextAt: startAfter(row, now) },
			)
			.where("id", "=", id)
			.where("pausedAt", paused ? "is" : "is not", null)
			.returning("id")
			.executeTakeFirst();
		if (changed === undefined) return;
		await audit(ctx, { action: paused ? "schedule.paused" : "schedule.resumed", detail: named(row) });
	});
	return readSchedule(ctx, id);
}

/** Its jobs stay. @throws not_found */
export async function deleteSchedule(ctx: Context, id: number): Promise<void> {
	await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.deleteFrom("schedule")
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("schedule");
		await audit(ctx, { action: "schedule.deleted", detail: named(row) });
	});
}

/**
 * The first regular start after `now`, in milliseconds; null if the schedule has ended before. Starts are counted from the
 * creation, so that neither delays nor a pause move them.
 */
export function startAfter(
	{ createdAt, everySeconds, endsAt }: Pick<ScheduleRow, "createdAt" | "everySeconds" | "endsAt">,
	now: number,
): number | null {
	const everyMs = everySeconds * 1_000;
	const next = createdAt + (Math.floor((now - createdAt) / everyMs) + 1) * everyMs;
	return endsAt !== null && next >= endsAt ? null : next;
}

async function assertNotTooMany(ctx: Context): Promise<void> {
	const { count } = await ctx.db
		.selectFrom("schedule")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirstOrThrow();
	if (Number(count) < MAX_SCHEDULES) return;
	throw new TapedeckError("conflict", `The organization has ${MAX_SCHEDULES} schedules already. Delete one first.`);
}

/** The faults of a job's body as faults of the schedule's. */
const belowJob = (error: TapedeckError): TapedeckError =>
	error.faults.length === 0 ? error : invalid(error.faults.map((fault) => ({ ...fault, path: `job.${fault.path}` })));

const named = ({ id, everySeconds }: Pick<ScheduleRow, "id" | "everySeconds">) => ({ scheduleId: id, everySeconds });

const ownSchedules = (ctx: Context) =>
	ctx.db
		.selectFrom("schedule")
		.leftJoin("job as lastJob", "lastJob.id", "schedule.lastJobId")
		.selectAll("schedule")
		.select(["lastJob.status as lastJobStatus", "lastJob.createdAt as lastJobCreatedAt"])
		.where("schedule.organizationId", "=", ctx.actor.organizationId);

type ScheduleViewRow = NonNullable<Awaited<ReturnType<ReturnType<typeof ownSchedules>["executeTakeFirst"]>>>;

function scheduleView(row: ScheduleViewRow): Schedule {
	const { id, lastJobId, lastJobStatus: status, lastJobCreatedAt, lastSkipAt } = row;
	return {
		id,
		everySeconds: row.everySeconds,
		endsAt: timestampOrNull(row.endsAt),
		job: JSON.parse(row.job) as Schedule["job"],
		paused: row.pausedAt !== null,
		pausedBecause: row.pausedBecause,
		nextStartAt: timestampOrNull(row.nextAt),
		lastJob:
			lastJobId === null || status === null || lastJobCreatedAt === null
				? null
				: { id: lastJobId, status, createdAt: timestamp(lastJobCreatedAt) },
		startedJobs: row.startedJobs,
		skippedStarts: row.skippedStarts,
		lastSkip: lastSkipAt === null ? null : { at: timestamp(lastSkipAt), reason: row.lastSkipReason ?? "" },
		createdBy: row.createdBy,
		createdAt: timestamp(row.createdAt),
	};
}
