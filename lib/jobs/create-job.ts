/** `POST /v1/jobs`: queues a job for a runner. */
import { randomUUID } from "node:crypto";
import type {
	CreateJob,
	CreateSelectedJob,
	Job,
	NewJobBody,
	Selector,
	UnconditionalJob,
} from "@tapedeck/contract/job.ts";
import type { JobType } from "@tapedeck/contract/job-status.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { type Keep, MAX_NAME_LENGTH, NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import type { StopRule } from "@tapedeck/contract/stop-condition.ts";
import { overrideVideo, type VideoOptions } from "@tapedeck/contract/video-options.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { assertCapable, CAPABILITY_OF } from "#lib/core/capabilities.ts";
import { type Context, creatorOf, quotasOf } from "#lib/core/context.ts";
import { invalid, TapedeckError } from "#lib/core/errors.ts";
import { addJobEvent, lockRunner, NO_RECORDING, publishJob } from "#lib/lifecycle/job-store.ts";
import { labelColumns, recordingSettings, rulesOnRunner } from "#lib/lifecycle/labels.ts";
import { stopRuleColumns } from "#lib/lifecycle/stop-rule.ts";
import { limitRefusal } from "#lib/lifecycle/token-limits.ts";
import { createOnce } from "./idempotency.ts";
import { jobView } from "./job-view.ts";
import { describeSelector, fittingDisplays, fittingRunners, hasPast, makesNone, noBuffer } from "./selector.ts";

/** `Retry-After` in seconds: a full queue drains as the runner starts jobs or someone cancels them. */
const QUEUE_RETRY_SECONDS = 30;

/**
 * Creates a queued job.
 *
 * @param idempotencyKey for 24 hours, the same key with the same body returns the original response.
 * @returns the job as it was when created.
 * @throws forbidden for an API key that may not make such jobs; validation_failed at `runnerId` if the caller's organization has no such runner, at `selector` if none
 *   fits, at `displayId` if the runner makes no displays, or at `preSeconds` if there is no buffer to begin in; conflict if the key was used with a different body; too_many_requests if the queue is full.
 */
export async function createJob(ctx: Context, input: NewJobBody, idempotencyKey: string | null = null): Promise<Job> {
	assertCapable(ctx, CAPABILITY_OF[input.type]);
	const call = idempotencyKey === null ? null : { key: idempotencyKey, body: JSON.stringify(input) };
	let queued: QueuedJob | undefined;
	const { job, isNew } = await createOnce(ctx, call, async (ctx) => {
		queued = await queueJob(ctx, input);
		return queued.job;
	});
	if (isNew && queued !== undefined) publishQueued(ctx, queued);
	return job;
}

export interface QueuedJob {
	job: Job;
	/** The runners that may take it. */
	runnerIds: readonly number[];
}

/**
 * Creates a queued job in the caller's transaction. Call `publishQueued` when it is committed.
 * @param scheduleId of the schedule that creates it; null for a call. The audit log has the schedule, not each of its jobs.
 * @throws like createJob.
 */
export async function queueJob(ctx: Context, input: NewJobBody, scheduleId: number | null = null): Promise<QueuedJob> {
	if ("selector" in input) return queueForAny(ctx, input, scheduleId);
	const job = await queueForRunner(ctx, input, scheduleId);
	return { job, runnerIds: [job.runnerId] };
}

/** Tells each of the runners, which look whether they have a free display. */
export function publishQueued(ctx: Context, { job, runnerIds }: QueuedJob): void {
	publishJob(ctx, job);
	for (const runnerId of runnerIds) if (runnerId !== job.runnerId) publishJob(ctx, { ...job, runnerId });
}

/** The columns of a job's stop condition cannot be empty. */
const NO_CONDITION = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
/** Likewise the column of its display. */
const NO_DISPLAY = "";

function withoutGaps(body: CreateJob | UnconditionalJob) {
	if (body.type === "file_upload") return { ...body, ...NO_CONDITION, displayId: NO_DISPLAY };
	return body.type === "screenshot" ? { ...body, ...NO_CONDITION } : body;
}

async function queueForRunner(
	ctx: Context,
	body: CreateJob | UnconditionalJob,
	scheduleId: number | null,
): Promise<Job> {
	const input = withoutGaps(body);
	const runner = await ctx.db
		.selectFrom("runner")
		.select(["id", "name", "labels", "keep", "maxDurationSeconds", "limits", "bufferSeconds", "virtualDisplays"])
		.where("id", "=", input.runnerId)
		.where("removedAt", "is", null)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (runner === undefined) {
		throw invalid({
			path: "runnerId",
			code: "not_found",
			message: `Runner ${input.runnerId} not found. Send the id of one of your runners; GET /v1/runners lists them.`,
		});
	}
	const { type, displayId } = input;
	const refusal = limitRefusal(runner, { type, displayId, gridUrl: gridUrlIn(input) });
	if (refusal !== null) throw invalid({ path: refusal.path, code: refusal.reason, message: refusal.message });
	const isNew = input.displayId === NEW_DISPLAY;
	if (isNew && runner.virtualDisplays === null) throw invalid(makesNone(`${runner.name} does not`));
	if (input.type === "recording" && !hasPast(runner, input.preSeconds ?? 0))
		throw invalid(noBuffer(`${runner.name} keeps`));
	await assertQueueNotFull(ctx, runner);
	const settings = await recordingSettings(ctx, ctx.actor.organizationId);
	const { keep, maxDurationSeconds: cap } = rulesOnRunner(input, runner, settings);
	const isRecording = input.type === "recording";
	const maxDurationSeconds = isRecording ? cap : null;
	const video = isRecording ? overrideVideo(settings.video, input.video) : "video" in input ? (input.video ?? {}) : {};
	const filePath = input.type === "file_upload" ? input.path : null;
	const name =
		input.name ??
		(filePath === null ? null : nameOfPath(filePath)) ??
		defaultName(ctx, isNew ? "new display" : input.displayId, runner.name);
	const waits = isNew && (await areAllInUse(ctx, runner));
	const job = await insertJob(ctx, {
		...input,
		name,
		keep,
		maxDurationSeconds,
		video,
		filePath,
		selector: null,
		scheduleId,
	});
	if (waits) {
		const message = `Waiting: all ${runner.virtualDisplays} virtual displays of ${runner.name} are in use.`;
		await addJobEvent(ctx, job.id, { type: "waiting", message, data: { virtualDisplays: runner.virtualDisplays } });
	}
	return job;
}

/** Whether jobs before this one have, or will have, all displays that the runner makes at a time. */
async function areAllInUse(ctx: Context, runner: { id: number; virtualDisplays: number | null }): Promise<boolean> {
	const last = await ctx.db
		.selectFrom("job")
		.select("id")
		.where("runnerId", "=", runner.id)
		.where("status", "in", ["queued", "starting", "recording"])
		.where("newDisplay", "is not", null)
		.limit(1)
		.offset((runner.virtualDisplays ?? 1) - 1)
		.executeTakeFirst();
	return last !== undefined;
}

/** The grid that the job would watch. */
const gridUrlIn = ({ stopConditionConfig: config }: StopRule): string | undefined =>
	"gridUrl" in config ? config.gridUrl : undefined;

/** Queues a job for whichever runner fits; until one takes it, it stands with the first of them. */
async function queueForAny(ctx: Context, input: CreateSelectedJob, scheduleId: number | null): Promise<QueuedJob> {
	const { selector } = input;
	const runners = await fittingRunners(ctx, selector, { gridUrl: gridUrlIn(input), preSeconds: input.preSeconds });
	const [first] = runners;
	if (first === undefined) throw new Error("a selector fits no runner");
	await assertPoolNotFull(ctx, { runnerId: first.id, runners: runners.length, selector });
	const settings = await recordingSettings(ctx, ctx.actor.organizationId);
	const job = await insertJob(ctx, {
		...input,
		video: overrideVideo(settings.video, input.video),
		runnerId: first.id,
		displayId: fittingDisplays(first, selector)[0] ?? "",
		name: input.name ?? defaultName(ctx, "recording", describeSelector(selector)),
		keep: input.keep ?? null,
		maxDurationSeconds: input.maxDurationSeconds ?? null,
		scheduleId,
	});
	const fits = runners.length === 1 ? "1 runner fits" : `${runners.length} runners fit`;
	const message = `Waiting for a free display: ${describeSelector(selector)}. ${fits}.`;
	await addJobEvent(ctx, job.id, { type: "waiting", message, data: { selector, fittingRunners: runners.length } });
	return { job, runnerIds: runners.map(({ id }) => id) };
}

/** Allows as many waiting jobs for several runners as for each of them. @throws too_many_requests */
async function assertPoolNotFull(
	ctx: Context,
	{ runnerId, runners, selector }: { runnerId: number; runners: number; selector: Selector },
): Promise<void> {
	const most = quotasOf(ctx).queuedJobs * runners;
	if (most === 0) return;
	await lockRunner(ctx, runnerId);
	const one = await ctx.db
		.selectFrom("job")
		.select("id")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("selector", "=", JSON.stringify(selector))
		.where("status", "=", "queued")
		.limit(1)
		.offset(most - 1)
		.executeTakeFirst();
	if (one === undefined) return;
	throw new TapedeckError(
		"too_many_requests",
		`The queue for ${describeSelector(selector)} is full (${most} jobs). Wait until some have started, or cancel jobs you no longer need.`,
		{ headers: { "retry-after": String(QUEUE_RETRY_SECONDS) } },
	);
}

/** Serialized per runner, so that concurrent calls cannot exceed the limit. @throws too_many_requests */
async function assertQueueNotFull(ctx: Context, runner: { id: number; name: string }): Promise<void> {
	const { queuedJobs } = quotasOf(ctx);
	if (queuedJobs === 0) return;
	await lockRunner(ctx, runner.id);
	const one = await ctx.db
		.selectFrom("job")
		.select("id")
		.where("runnerId", "=", runner.id)
		.where("status", "=", "queued")
		.where("selector", "is", null)
		.limit(1)
		.offset(queuedJobs - 1)
		.executeTakeFirst();
	if (one === undefined) return;
	throw new TapedeckError(
		"too_many_requests",
		`The queue for ${runner.name} is full (${queuedJobs === 1 ? "1 job" : `${queuedJobs} jobs`}). Wait until some have started, or cancel jobs you no longer need: GET /v1/jobs?status=queued&runnerId=${runner.id} lists them.`,
		{ headers: { "retry-after": String(QUEUE_RETRY_SECONDS) } },
	);
}

/** The result of `defaultName`. */
export const GENERATED_NAME = /^(:\d+|new display) on .+, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/;

/** The default name: `:99 on build-box, 2026-11-21 01:12 UTC`. */
export function defaultName(ctx: Context, displayId: string, runnerName: string): string {
	const [day, time] = new Date(ctx.clock.now()).toISOString().split("T") as [string, string];
	return `${displayId} on ${runnerName}, ${day} ${time.slice(0, 5)} UTC`;
}

/** The name of a file, for its job; null if nothing of it can be shown. */
const nameOfPath = (path: string): string | null =>
	sanitizeName(path.split(/[/\\]/).at(-1) ?? "", MAX_NAME_LENGTH) || null;

type NewJob = Pick<CreateJob, "runnerId" | "displayId" | "display" | "labels" | "preSeconds" | "outcomeExpected"> &
	StopRule & {
		type: JobType;
		name: string;
		keep: Keep | null;
		maxDurationSeconds: number | null;
		video: VideoOptions;
		selector: Selector | null;
		scheduleId: number | null;
		filePath?: string | null;
	};

async function insertJob(ctx: Context, input: NewJob): Promise<Job> {
	const creator = creatorOf(ctx);
	const row = await ctx.db
		.insertInto("job")
		.values({
			organizationId: ctx.actor.organizationId,
			runnerId: input.runnerId,
			type: input.type,
			displayId: input.displayId,
			name: input.name,
			...stopRuleColumns(ctx, input),
			...labelColumns(input.labels ?? {}),
			keep: input.keep,
			maxDurationSeconds: input.maxDurationSeconds,
			video: Object.keys(input.video).length === 0 ? null : JSON.stringify(input.video),
			preSeconds: input.preSeconds ?? 0,
			filePath: input.filePath ?? null,
			newDisplay: input.displayId === NEW_DISPLAY ? JSON.stringify(input.display ?? {}) : null,
			selector: input.selector === null ? null : JSON.stringify(input.selector),
			outcomeExpected: Number(input.outcomeExpected ?? false),
			status: "queued",
			createdAt: ctx.clock.now(),
			createdByKind: creator?.kind ?? null,
			createdById: creator?.id ?? null,
			createdByName: creator?.name ?? null,
			key: randomUUID(),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	const { scheduleId } = input;
	if (scheduleId === null) {
		const target = { kind: "job", id: row.id, name: row.name } as const;
		await audit(ctx, { action: "job.created", target, detail: { runnerId: row.runnerId } });
	}
	const by = scheduleId === null ? creator?.name : `schedule ${scheduleId}`;
	await addJobEvent(ctx, row.id, {
		type: "created",
		message: by === undefined ? "The job was created." : `The job was created by ${by}.`,
		...(scheduleId !== null && { data: { scheduleId } }),
	});
	return jobView(ctx, { ...row, ...NO_RECORDING });
}
