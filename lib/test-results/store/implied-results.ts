/**
 * Results that nobody reported, so that every test has some, whatever recorded it. One rule: of a job without reported
 * results,
 * 1. each session with a name is a test, whose outcome is the session's. Without one, it failed if the job did and has a marker
 *    of the kind `fail` in the session; it has the job's outcome if no marker says which session failed;
 * 2. without a session that explains how the job ended, the job itself is one: by its label `test`, or else by its name.
 * The outcome of a job that nobody has said is `error` if it failed to record. Without an outcome there is no result.
 * An uploaded recording and a test run are as a job without sessions.
 */
import { sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import { isFailure, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import type { Selectable } from "kysely";
import type { Context, Followers } from "#lib/core/context.ts";
import type { JobTable, RecordingTable, TestRunTable } from "#lib/db/schema.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import { ownedByJob, ownedByRun, ownedByUpload, ownerColumn, type ResultOwner } from "./result-owner.ts";
import { endResults, type ReportedResult, relabelResults, storeResults, type TestResultRow } from "./result-store.ts";
import { summarizeTests } from "./test-summaries.ts";

type JobRow = Selectable<JobTable>;
export type TestRunRow = Selectable<TestRunTable>;

export const ownerOfJob = (
	job: Pick<JobRow, "id" | "organizationId" | "labels" | "startedAt" | "createdAt">,
): ResultOwner => ({
	organizationId: job.organizationId,
	...ownedByJob(job.id),
	isQuiet: false,
	labels: readLabels(job),
	startedAt: job.startedAt ?? job.createdAt,
});

const ownerOfUpload = (recording: Selectable<RecordingTable>): ResultOwner => ({
	organizationId: recording.organizationId,
	...ownedByUpload(recording.id),
	isQuiet: false,
	labels: readLabels(recording),
	startedAt: recording.createdAt,
});

/**
 * Call after a change of a job's status, labels, name or outcome, and after a session's.
 * @param ctx its database must be a transaction, with the job locked.
 * @param job after the change.
 */
export async function updateResultsOfJob(ctx: Context, job: JobRow, { hasEnded = false } = {}): Promise<void> {
	const has = await resultsAndSessions(ctx, job.id);
	const owner = ownerOfJob(job);
	if (has.results) {
		await relabelResults(ctx, owner);
		if (hasEnded) await endResults(ctx, owner, job.stoppedAt ?? job.endedAt ?? ctx.clock.now());
	}
	const implied = has.reported ? [] : await impliedOf(ctx, job, has);
	if (has.results || implied.length > 0) await replaceImplied(ctx, owner, implied);
}

/**
 * Whether a job has results, reported ones, and sessions with a name. One statement, because most jobs have none of them, and
 * every transaction of SQLite waits for the one before.
 */
async function resultsAndSessions(ctx: Context, jobId: number) {
	const results = ctx.db.selectFrom("testResult").select("id").where("jobId", "=", jobId);
	const sessions = ctx.db.selectFrom("recordedSession").select("sessionId").where("jobId", "=", jobId);
	const found = await ctx.db
		.selectNoFrom(({ exists }) => [
			exists(results).as("results"),
			exists(results.where("isImplied", "=", 0)).as("reported"),
			exists(sessions.where("name", "is not", null)).as("sessions"),
		])
		.executeTakeFirstOrThrow();
	return { results: Boolean(found.results), reported: Boolean(found.reported), sessions: Boolean(found.sessions) };
}

/** The same for an uploaded recording. */
export async function updateResultsOfUpload(ctx: Context, recording: Selectable<RecordingTable>): Promise<void> {
	// The video of a test run's result, whose outcome and labels are the run's.
	const shown = await ctx.db
		.selectFrom("testResult")
		.select("id")
		.where("recordingId", "=", recording.id)
		.where("testRunId", "is not", null)
		.executeTakeFirst();
	if (shown !== undefined) return;
	const owner = ownerOfUpload(recording);
	await relabelResults(ctx, owner);
	const { outcome, name, durationSeconds, createdAt } = recording;
	const { test, suite } = owner.labels;
	if (outcome === null) return replaceImplied(ctx, owner, []);
	const [marker = null] = isFailure(outcome) ? await failMarkers(ctx, owner) : [];
	const endedAt = createdAt + Math.round(durationSeconds * 1_000);
	await replaceImplied(ctx, owner, [
		{
			key: "recording",
			test: test || name,
			suite: suite ?? null,
			outcome,
			startedAt: createdAt,
			endedAt,
			message: marker?.message ?? null,
			...(marker === null ? {} : { momentAt: createdAt + marker.at }),
		},
	]);
}

export const ownerOfRun = (run: TestRunRow): ResultOwner => ({
	organizationId: run.organizationId,
	...ownedByRun(run.id),
	isQuiet: run.quietHistory === 1,
	labels: readLabels(run),
	startedAt: run.createdAt,
});

export const RESULT_FOLLOWERS: Followers = { jobChanged: updateResultsOfJob, uploadChanged: updateResultsOfUpload };

/** The same for a test run, which has ended or has got results. @returns the results that ended with it. */
export async function updateResultsOfRun(ctx: Context, run: TestRunRow): Promise<TestResultRow[]> {
	const owner = ownerOfRun(run);
	const ended = run.endedAt === null ? [] : await endResults(ctx, owner, run.endedAt);
	const reported = await ctx.db
		.selectFrom("testResult")
		.select("id")
		.where("testRunId", "=", run.id)
		.where("isImplied", "=", 0)
		.limit(1)
		.executeTakeFirst();
	const { name, outcome, message, createdAt, endedAt } = run;
	if (reported !== undefined || outcome === null) {
		await replaceImplied(ctx, owner, []);
		return ended;
	}
	const { test, suite } = owner.labels;
	await replaceImplied(ctx, owner, [
		{
			key: "run",
			test: test || name,
			suite: suite ?? null,
			outcome,
			startedAt: createdAt,
			endedAt: Math.max(createdAt, endedAt ?? createdAt),
			message,
		},
	]);
	return ended;
}

async function replaceImplied(ctx: Context, owner: ResultOwner, results: readonly ReportedResult[]): Promise<void> {
	const keys = results.map(({ key }) => key);
	const own = ownerColumn(owner);
	const deleted = await ctx.db
		.deleteFrom("testResult")
		.where(own.column, "=", own.id)
		.where("isImplied", "=", 1)
		.$if(keys.length > 0, (query) => query.where("key", "not in", keys))
		.returning("testId")
		.execute();
	await summarizeTests(
		ctx,
		deleted.map(({ testId }) => testId),
	);
	if (results.length > 0) await storeResults(ctx, owner, results, { isImplied: true });
}

export const sessionResultKey = (sessionId: string): string => `session ${sessionId}`;

async function impliedOf(ctx: Context, job: JobRow, has: { sessions: boolean }): Promise<ReportedResult[]> {
	const { test, suite } = readLabels(job);
	const error = job.status === "failed" ? (job.errorMessage ?? "See its history.") : null;
	const outcome: Outcome | null = job.outcome ?? (error === null ? null : "error");
	const startedAt = job.startedAt ?? job.createdAt;
	const endedAt = job.stoppedAt ?? job.endedAt;
	const markers = isFailure(outcome) ? await failMarkers(ctx, ownerOfJob(job)) : [];
	const marker = markers[0] ?? null;
	const ended = isFailure(outcome) && marker === null ? await commandEnd(ctx, job.id) : null;
	const failedToRecord = job.outcome === null && error !== null ? `Recording failed: ${error}` : null;
	const message = marker?.message ?? ended ?? failedToRecord;
	const sessions = has.sessions ? await namedSessions(ctx, job.id) : [];
	const failedIn = new Map(markers.toReversed().map((marker) => [sessionOf(marker, sessions)?.sessionId, marker]));
	const named = sessions.flatMap((session): ReportedResult[] => {
		const { sessionId, name, outcomeAt } = session;
		const own = failedIn.get(sessionId);
		const said = session.outcome ?? (markers.length === 0 || own !== undefined ? outcome : null);
		if (name === null || said === null) return [];
		const end = session.endedAt ?? endedAt;
		// A caller that says it while the browser is open sees the failure.
		const saidAt = outcomeAt !== null && (end === null || outcomeAt <= end) ? outcomeAt : null;
		const momentAt = session.outcome === null ? own?.at : saidAt;
		return [
			{
				key: sessionResultKey(sessionId),
				test: name,
				suite: suite ?? null,
				outcome: said,
				message: session.outcome === null ? (own?.message ?? message) : session.message,
				startedAt: session.startedAt,
				endedAt: end === null ? null : Math.max(end, session.startedAt),
				...(momentAt == null ? {} : { momentAt }),
			},
		];
	});
	const hasFailed = named.some((result) => isFailure(result.outcome ?? null));
	const isExplained = named.length > 0 && (markers.length === 0 || hasFailed);
	if (isExplained || outcome === null) return named;
	return [
		...named,
		{
			key: "job",
			test: test || job.name,
			suite: suite ?? null,
			outcome,
			message,
			startedAt,
			endedAt: endedAt === null ? null : Math.max(endedAt, startedAt),
			...(marker === null ? {} : { momentAt: marker.at }),
		},
	];
}

/** The end of the recorded command, with the last lines of its output; null for a job without a command. */
async function commandEnd(ctx: Context, jobId: number): Promise<string | null> {
	const event = await ctx.db
		.selectFrom("jobEvent")
		.select(["message", "data"])
		.where("jobId", "=", jobId)
		.where("type", "=", "command_ended")
		.orderBy("id", "desc")
		.limit(1)
		.executeTakeFirst();
	if (event === undefined) return null;
	const { output } = JSON.parse(event.data) as { output?: string };
	return sanitizeMessage([event.message, output].filter(Boolean).join("\n\n"));
}

const namedSessions = (ctx: Context, jobId: number) =>
	ctx.db
		.selectFrom("recordedSession")
		.selectAll()
		.where("jobId", "=", jobId)
		.where("name", "is not", null)
		.orderBy("startedAt")
		.execute();

interface FailMarker {
	/** The best description of the failure: the marker's message, or its name. */
	message: string;
	label: string;
	at: number;
}

/** More markers of a job are not looked at. */
const MAX_FAIL_MARKERS = 500;

/** The first one first. */
async function failMarkers(ctx: Context, { jobId, recordingId }: ResultOwner): Promise<FailMarker[]> {
	const markers = await ctx.db
		.selectFrom("marker")
		.select(["label", "message", "at"])
		.where(jobId === null ? "recordingId" : "jobId", "=", jobId ?? recordingId)
		.where("kind", "=", "fail")
		.orderBy("at")
		.orderBy("id")
		.limit(MAX_FAIL_MARKERS)
		.execute();
	return markers.map(({ label, message, at }) => ({ message: message ?? label, label, at }));
}

/** Hooks that end the browser may come before the one that marks the failure. */
const MARKED_AFTER_MS = 2_000;

/**
 * The session in which a failure was marked: of several at that time, the one whose name or id the marker has, or else the one
 * that began last.
 * @param sessions by their beginning.
 */
function sessionOf<T extends { sessionId: string; name: string | null; startedAt: number; endedAt: number | null }>(
	{ at, label, message }: FailMarker,
	sessions: readonly T[],
): T | undefined {
	const lasting = (afterMs: number) =>
		sessions.filter(({ startedAt, endedAt }) => startedAt <= at && (endedAt === null || at <= endedAt + afterMs));
	const open = lasting(0);
	const candidates = open.length > 0 ? open : lasting(MARKED_AFTER_MS);
	const text = `${label}\n${message}`;
	const isNamed = ({ sessionId, name }: T) => text.includes(sessionId) || (name !== null && text.includes(name));
	return candidates.findLast(isNamed) ?? candidates.at(-1);
}
