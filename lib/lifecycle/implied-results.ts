/**
 * Results that nobody reported, so that every test has some, whatever recorded it. One rule: of a job without reported
 * results,
 * 1. each session with a name is a test, whose outcome is the session's, or else the job's;
 * 2. without such sessions, the job itself is one: by its label `test`, or else by its name.
 * The outcome of a job that nobody has said is `error` if it failed to record. Without an outcome there is no result.
 * An uploaded recording is as a job without sessions.
 */
import { isFailure, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import type { JobTable, RecordingTable } from "#lib/db/schema.ts";
import { readLabels } from "./labelled.ts";
import { endResults, type ReportedResult, type ResultOwner, relabelResults, storeResults } from "./result-store.ts";

type JobRow = Selectable<JobTable>;

export const ownerOfJob = (
	job: Pick<JobRow, "id" | "organizationId" | "labels" | "startedAt" | "createdAt">,
): ResultOwner => ({
	...{ organizationId: job.organizationId, jobId: job.id, recordingId: null },
	...{ labels: readLabels(job), startedAt: job.startedAt ?? job.createdAt },
});

const ownerOfUpload = (recording: Selectable<RecordingTable>): ResultOwner => ({
	...{ organizationId: recording.organizationId, jobId: null, recordingId: recording.id },
	...{ labels: readLabels(recording), startedAt: recording.createdAt },
});

/**
 * Call after a change of a job's status, labels, name or outcome, and after a session's.
 * @param ctx its database must be a transaction, with the job locked.
 * @param job after the change.
 */
export async function followJob(ctx: Context, job: JobRow, { hasEnded = false } = {}): Promise<void> {
	const owner = ownerOfJob(job);
	await relabelResults(ctx, owner);
	if (hasEnded) await endResults(ctx, owner, job.stoppedAt ?? job.endedAt ?? ctx.clock.now());
	const reported = await ctx.db
		.selectFrom("testResult")
		.select("id")
		.where("jobId", "=", job.id)
		.where("isImplied", "=", 0)
		.limit(1)
		.executeTakeFirst();
	await replaceImplied(ctx, owner, reported === undefined ? await impliedOf(ctx, job) : []);
}

/** The same for an uploaded recording. */
export async function followUpload(ctx: Context, recording: Selectable<RecordingTable>): Promise<void> {
	const owner = ownerOfUpload(recording);
	await relabelResults(ctx, owner);
	const { outcome, name, durationSeconds, createdAt } = recording;
	const { test, suite } = owner.labels;
	if (outcome === null) return replaceImplied(ctx, owner, []);
	const marker = isFailure(outcome) ? await firstFailMarker(ctx, owner) : null;
	const endedAt = createdAt + Math.round(durationSeconds * 1_000);
	await replaceImplied(ctx, owner, [
		{
			...{ key: "recording", test: test || name, suite: suite ?? null, outcome, startedAt: createdAt, endedAt },
			...{ message: marker?.message ?? null, ...(marker === null ? {} : { momentAt: createdAt + marker.at }) },
		},
	]);
}

async function replaceImplied(ctx: Context, owner: ResultOwner, results: readonly ReportedResult[]): Promise<void> {
	const keys = results.map(({ key }) => key);
	const column = owner.jobId === null ? "recordingId" : "jobId";
	await ctx.db
		.deleteFrom("testResult")
		.where(column, "=", owner.jobId ?? owner.recordingId)
		.where("isImplied", "=", 1)
		.$if(keys.length > 0, (query) => query.where("key", "not in", keys))
		.execute();
	if (results.length > 0) await storeResults(ctx, owner, results, { isImplied: true });
}

export const sessionResultKey = (sessionId: string): string => `session ${sessionId}`;

async function impliedOf(ctx: Context, job: JobRow): Promise<ReportedResult[]> {
	const { test, suite } = readLabels(job);
	const error = job.status === "failed" ? (job.errorMessage ?? "See its history.") : null;
	const outcome: Outcome | null = job.outcome ?? (error === null ? null : "error");
	const startedAt = job.startedAt ?? job.createdAt;
	const endedAt = job.stoppedAt ?? job.endedAt;
	const marker = isFailure(outcome) ? await firstFailMarker(ctx, ownerOfJob(job)) : null;
	const message = marker?.message ?? (job.outcome === null && error !== null ? `Recording failed: ${error}` : null);
	const sessions = await ctx.db
		.selectFrom("recordedSession")
		.selectAll()
		.where("jobId", "=", job.id)
		.where("name", "is not", null)
		.orderBy("startedAt")
		.execute();
	const named = sessions.flatMap((session): ReportedResult[] => {
		const { sessionId, name, outcomeAt } = session;
		const own = session.outcome ?? outcome;
		if (name === null || own === null) return [];
		const end = session.endedAt ?? endedAt;
		return [
			{
				...{ key: sessionResultKey(sessionId), test: name, suite: suite ?? null, outcome: own },
				message: session.outcome === null ? message : session.message,
				...{ startedAt: session.startedAt, endedAt: end === null ? null : Math.max(end, session.startedAt) },
				// Who says it while the browser is open sees the failure.
				...(outcomeAt !== null && (end === null || outcomeAt <= end) ? { momentAt: outcomeAt } : {}),
			},
		];
	});
	if (named.length > 0 || outcome === null) return named;
	return [
		{
			...{ key: "job", test: test || job.name, suite: suite ?? null, outcome, message, startedAt },
			endedAt: endedAt === null ? null : Math.max(endedAt, startedAt),
			...(marker === null ? {} : { momentAt: marker.at }),
		},
	];
}

/** What says most about a failure: its first marker's message, or the marker's name. */
async function firstFailMarker(
	ctx: Context,
	{ jobId, recordingId }: ResultOwner,
): Promise<{ message: string; at: number } | null> {
	const marker = await ctx.db
		.selectFrom("marker")
		.select(["label", "message", "at"])
		.where(jobId === null ? "recordingId" : "jobId", "=", jobId ?? recordingId)
		.where("kind", "=", "fail")
		.orderBy("at")
		.orderBy("id")
		.limit(1)
		.executeTakeFirst();
	return marker === undefined ? null : { message: marker.message ?? marker.label, at: marker.at };
}
