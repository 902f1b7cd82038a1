/** Who may begin an upload, and who may go on with it. Refusals are in tus's own form: a status and a line. */
import { assertMayWrite, creatorOf } from "../../core/access.ts";
import type { Context } from "../../core/context.ts";
import type { UploadOwner } from "../upload-records.ts";

/** What a runner says of itself in the headers of an upload. */
export interface RunnerCall {
	sessionId: string | null;
	/** Null from runners that have none for the job. */
	jobKey: string | null;
}

const refuse = (status_code: number, body: string) => ({ status_code, body: `${body}\n` });

/** Statuses of a job whose video may still come. `failed`: what was captured is kept all the same. */
const UPLOADABLE = ["starting", "recording", "uploading", "failed"];

/** The upload of a job has a name that follows from the job: there is one. */
export const uploadIdOfJob = (jobId: number): string => `job-${jobId}`;

/** The job of an upload that has that name; null for a video without a job. */
export function jobIdOfUpload(uploadId: string): number | null {
	const digits = /^job-(\d+)$/.exec(uploadId)?.[1];
	return digits === undefined ? null : Number(digits);
}

/** Who begins an upload without a job. @throws a refusal for those who may only look, and for runners. */
export function ownerOf(ctx: Context): UploadOwner {
	assertMayWrite(ctx);
	if (ctx.actor.kind === "runner") {
		throw refuse(403, "A runner uploads videos of its jobs only: send jobId in Upload-Metadata.");
	}
	const creator = creatorOf(ctx);
	return { organizationId: ctx.actor.organizationId, kind: ctx.actor.kind, id: creator?.id ?? 0, jobId: null };
}

/** Who begins the upload of a job's video. @throws a refusal unless the caller is the runner that holds the job. */
export async function ownerOfJob(ctx: Context, call: RunnerCall, jobId: number) {
	const job = await jobHeld(ctx, call, jobId);
	if (!UPLOADABLE.includes(job.status)) {
		throw refuse(409, `This job is ${job.status}: no video is expected from it.`);
	}
	const { organizationId } = ctx.actor;
	const id = ctx.actor.kind === "runner" ? ctx.actor.runnerTokenId : 0;
	return { owner: { organizationId, kind: ctx.actor.kind, id, jobId } satisfies UploadOwner, jobName: job.name };
}

/** @throws a refusal unless the caller made this upload, or holds its job. */
export async function assertOwns(ctx: Context, call: RunnerCall, owner: UploadOwner | undefined) {
	if (owner?.organizationId !== ctx.actor.organizationId) throw refuse(404, "There is no such upload.");
	if (owner.jobId !== null) {
		await jobHeld(ctx, call, owner.jobId);
		return;
	}
	assertMayWrite(ctx);
	if (owner.kind !== ctx.actor.kind || owner.id !== creatorOf(ctx)?.id) {
		throw refuse(403, "This upload is someone else's. Begin one of your own.");
	}
}

async function jobHeld(ctx: Context, { sessionId, jobKey }: RunnerCall, jobId: number) {
	if (ctx.actor.kind !== "runner" || sessionId === null) {
		throw refuse(403, "Only the runner that records a job uploads its video.");
	}
	const job = await ctx.db
		.selectFrom("job")
		.innerJoin("runner", "runner.id", "job.runnerId")
		.select(["job.status", "job.name"])
		.where("job.id", "=", jobId)
		.where("job.organizationId", "=", ctx.actor.organizationId)
		.where("runner.sessionId", "=", sessionId)
		.$if(jobKey !== null, (query) => query.where("job.key", "=", jobKey))
		.executeTakeFirst();
	if (job === undefined) throw refuse(403, "This job is not one of this runner's session. Sign in again.");
	return job;
}
