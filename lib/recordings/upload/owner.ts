/** Authorizes uploads: who may create one, and who may continue it. Refusals are tus responses: a status and a line. */
import { type Context, creatorOf } from "#lib/core/context.ts";
import { prepared } from "#lib/db/prepared.ts";
import { Refusal } from "./tus-handler.ts";
import type { UploadOwner } from "./upload-record.ts";

/** The headers by which a runner identifies itself. */
export interface RunnerCall {
	sessionId: string | null;
	jobKey: string | null;
}

export const NOT_HELD = "This job does not belong to this runner's session. Sign in again.";
const NOT_FOUND = "Upload not found. It was removed, or received no bytes for 24 hours. Start a new upload.";

/** Statuses of a job that accepts uploads. `failed` does too, because what was captured is kept. */
const UPLOADABLE = ["starting", "recording", "uploading", "failed"];

/** A job's upload is named after the job, so there is only one. */
export const uploadIdOfJob = (jobId: number): string => `job-${jobId}`;

/** The job of an upload with such a name; null for an upload without a job. */
export function jobIdOfUpload(uploadId: string): number | null {
	const digits = /^job-(\d+)$/.exec(uploadId)?.[1];
	return digits === undefined ? null : Number(digits);
}

/** The owner of a new upload without a job. Runners upload the files of the folders that they watch. */
export function ownerOf(ctx: Context): UploadOwner {
	const creator = creatorOf(ctx);
	return { organizationId: ctx.actor.organizationId, kind: ctx.actor.kind, id: creator?.id ?? 0, jobId: null };
}

/** The owner of a new upload of a job's video. @throws a refusal unless the caller is the runner that holds the job. */
export async function ownerOfJob(ctx: Context, call: RunnerCall, jobId: number) {
	const job = await jobHeld(ctx, call, jobId);
	if (!UPLOADABLE.includes(job.status)) {
		throw new Refusal(409, `This job is ${job.status} and accepts no video.`);
	}
	const { organizationId } = ctx.actor;
	const id = ctx.actor.kind === "runner" ? ctx.actor.runnerTokenId : 0;
	return {
		owner: { organizationId, kind: ctx.actor.kind, id, jobId } satisfies UploadOwner,
		jobName: job.name,
		type: job.type,
	};
}

/** @throws a refusal unless the caller created this upload or holds its job. */
export async function assertOwns(ctx: Context, call: RunnerCall, owner: UploadOwner | undefined) {
	if (owner?.organizationId !== ctx.actor.organizationId) throw new Refusal(404, NOT_FOUND);
	if (owner.jobId !== null) {
		await jobHeld(ctx, call, owner.jobId);
		return;
	}
	if (owner.kind !== ctx.actor.kind || owner.id !== creatorOf(ctx)?.id) {
		throw new Refusal(403, "This upload belongs to someone else. Start your own.");
	}
}

async function jobHeld(ctx: Context, call: RunnerCall, jobId: number) {
	if (ctx.actor.kind !== "runner" || call.sessionId === null) {
		throw new Refusal(403, "Only the runner that records a job can upload its video.");
	}
	const job = await findHeldJob(ctx, call, jobId);
	if (job === undefined) throw new Refusal(403, NOT_HELD);
	return job;
}

const jobOfSession = prepared((db, of: { jobId: number; sessionId: string; organizationId: number }) =>
	db
		.selectFrom("job")
		.innerJoin("runner", "runner.id", "job.runnerId")
		.select(["job.status", "job.name", "job.key", "job.type"])
		.where("job.id", "=", of.jobId)
		.where("job.organizationId", "=", of.organizationId)
		.where("runner.sessionId", "=", of.sessionId),
);

/** The job, if the runner that makes this call holds it. */
export async function findHeldJob(ctx: Context, { sessionId, jobKey }: RunnerCall, jobId: number) {
	const { organizationId } = ctx.actor;
	const [job] = await jobOfSession(ctx.db, { jobId, sessionId: sessionId ?? "", organizationId });
	return job?.key === jobKey ? job : undefined;
}
