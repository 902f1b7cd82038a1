/** `POST /v1/jobs`: asks a runner for a recording. */
import { createHash, randomUUID } from "node:crypto";
import type { CreateJob, Job } from "../contract/job.ts";
import { normalizeGridUrl, type StopRule } from "../contract/stop-condition.ts";
import { assertMayWrite, creatorOf } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { invalid, TapedeckError } from "../core/errors.ts";
import { addJobEvent, inTransaction, lockRunner, NO_RECORDING, publishJob } from "../lifecycle/job-store.ts";
import { jobView } from "./job-view.ts";

const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;
/** A queue that is full empties as fast as its runner, or a person, does something about it. */
const QUEUE_RETRY_SECONDS = 30;

/**
 * Creates a queued job.
 *
 * @param idempotencyKey the same key with the same body returns the first answer again for 24 h.
 * @returns the job as it was when it was created.
 * @throws validation_failed at `runnerId` when the caller's organization has no such runner;
 *   conflict when the key was used with another body; too_many_requests when too many jobs wait for the runner.
 */
export async function createJob(ctx: Context, input: CreateJob, idempotencyKey: string | null = null): Promise<Job> {
	assertMayWrite(ctx);
	const bodyHash = createHash("sha256").update(JSON.stringify(input)).digest("hex");
	const attempt = () =>
		inTransaction(ctx, (ctx) => createOnce(ctx, input, idempotencyKey, bodyHash)).catch((error: unknown) => {
			if (error instanceof KeyTaken) return null;
			throw error;
		});
	// Of calls at once under one key, one makes the job; the others are rolled back and then find its answer.
	const { job, isNew } = (await attempt()) ?? (await attempt()) ?? raceLost();
	if (isNew) publishJob(ctx, job);
	return job;
}

/** @throws KeyTaken, and nothing is written, when another call has just taken the key. */
async function createOnce(ctx: Context, input: CreateJob, key: string | null, bodyHash: string) {
	const earlier = key === null ? null : await earlierAnswer(ctx, key, bodyHash);
	if (earlier !== null) return { job: earlier, isNew: false };
	const runner = await ctx.db
		.selectFrom("runner")
		.select(["id", "name"])
		.where("id", "=", input.runnerId)
		.where("removedAt", "is", null)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (runner === undefined) {
		throw invalid({
			path: "runnerId",
			code: "not_found",
			message: `Send the id of one of your runners: there is no runner ${input.runnerId} here. GET /v1/runners lists them.`,
		});
	}
	await assertQueueHasRoom(ctx, runner);
	const job = await insertJob(ctx, { ...input, name: input.name ?? defaultName(ctx, input.displayId, runner.name) });
	if (key === null || (await keepAnswer(ctx, key, bodyHash, job))) return { job, isNew: true };
	throw new KeyTaken();
}

/** Calls for one runner at once are counted one after the other, so that together they do not exceed what may wait. */
async function assertQueueHasRoom(ctx: Context, runner: { id: number; name: string }): Promise<void> {
	const { queuedJobs } = ctx.quotas;
	if (queuedJobs === 0) return;
	await lockRunner(ctx, runner.id);
	const one = await ctx.db
		.selectFrom("job")
		.select("id")
		.where("runnerId", "=", runner.id)
		.where("status", "=", "queued")
		.limit(1)
		.offset(queuedJobs - 1)
		.executeTakeFirst();
	if (one === undefined) return;
	throw new TapedeckError(
		"too_many_requests",
		`As many jobs wait for ${runner.name} as are taken (${queuedJobs}). Wait until it has begun some, or cancel those that nobody needs: GET /v1/jobs?status=queued&runnerId=${runner.id} lists them.`,
		{ headers: { "retry-after": String(QUEUE_RETRY_SECONDS) } },
	);
}

/** Thrown to roll back the job that a call made for a key which another call took at the same moment. */
class KeyTaken extends Error {}

function raceLost(): never {
	throw new TapedeckError("conflict", "Another call under this Idempotency-Key is under way. Send this one again.");
}

/** A readable default: `:99 on build-box, 2026-11-21 01:12 UTC`. */
export function defaultName(ctx: Context, displayId: string, runnerName: string): string {
	const [day, time] = new Date(ctx.clock.now()).toISOString().split("T") as [string, string];
	return `${displayId} on ${runnerName}, ${day} ${time.slice(0, 5)} UTC`;
}

/** What the row keeps of a rule: the public configuration, and the password sealed. */
export function storedRule(ctx: Context, rule: StopRule) {
	if (rule.stopCondition !== "selenium_idle") {
		return {
			stopCondition: rule.stopCondition,
			stopConditionConfig: JSON.stringify(rule.stopConditionConfig),
			gridPasswordSealed: null,
		};
	}
	const { gridPassword, ...config } = rule.stopConditionConfig;
	return {
		stopCondition: rule.stopCondition,
		stopConditionConfig: JSON.stringify({ ...config, gridUrl: normalizeGridUrl(config.gridUrl) }),
		gridPasswordSealed: gridPassword === undefined ? null : ctx.secrets.seal(gridPassword),
	};
}

async function insertJob(ctx: Context, input: CreateJob & { name: string }): Promise<Job> {
	const creator = creatorOf(ctx);
	const row = await ctx.db
		.insertInto("job")
		.values({
			organizationId: ctx.actor.organizationId,
			runnerId: input.runnerId,
			type: input.type,
			displayId: input.displayId,
			name: input.name,
			...storedRule(ctx, input),
			status: "queued",
			createdAt: ctx.clock.now(),
			createdByKind: creator?.kind ?? null,
			createdById: creator?.id ?? null,
			createdByName: creator?.name ?? null,
			key: randomUUID(),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	const target = { kind: "job", id: row.id, name: row.name } as const;
	await audit(ctx, { action: "job.created", target, detail: { runnerId: row.runnerId } });
	await addJobEvent(ctx, row.id, {
		type: "created",
		message: creator === null ? "The job was created." : `The job was created by ${creator.name}.`,
	});
	return jobView(ctx, { ...row, ...NO_RECORDING });
}

async function earlierAnswer(ctx: Context, key: string, bodyHash: string): Promise<Job | null> {
	const row = await ctx.db
		.selectFrom("idempotencyKey")
		.select(["bodyHash", "answer", "createdAt"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("key", "=", key)
		.executeTakeFirst();
	if (row === undefined || row.createdAt <= ctx.clock.now() - IDEMPOTENCY_MS) return null;
	if (row.bodyHash !== bodyHash) {
		throw new TapedeckError(
			"conflict",
			"This Idempotency-Key was used with another body. Send a new key for a new job.",
		);
	}
	return JSON.parse(row.answer) as Job;
}

/** @returns false when the key was taken by another call in the meantime. */
async function keepAnswer(ctx: Context, key: string, bodyHash: string, job: Job): Promise<boolean> {
	const now = ctx.clock.now();
	const values = { bodyHash, answer: JSON.stringify(job), jobId: job.id, createdAt: now };
	const kept = await ctx.db
		.insertInto("idempotencyKey")
		.values({ organizationId: ctx.actor.organizationId, key, ...values })
		.onConflict((conflict) =>
			conflict
				.columns(["organizationId", "key"])
				.doUpdateSet(values)
				.where("idempotencyKey.createdAt", "<=", now - IDEMPOTENCY_MS),
		)
		.returning("jobId")
		.executeTakeFirst();
	return kept !== undefined;
}
