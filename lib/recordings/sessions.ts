/** Sessions of a grid and the recordings that hold them. */
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { MAX_SESSIONS, type RecordingSession, type Session } from "@tapedeck/contract/session.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { roundedSeconds, timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { RecordedSessionTable } from "#lib/db/schema.ts";
import { sessionResultKey } from "#lib/test-results/store/implied-results.ts";

type SessionRow = Pick<Selectable<RecordedSessionTable>, "sessionId" | "name" | "startedAt" | "endedAt">;

/** @param firstFrameAt milliseconds since 1970. */
const view = (row: SessionRow, firstFrameAt: number): RecordingSession => ({
	sessionId: row.sessionId,
	name: row.name,
	startedAt: timestamp(row.startedAt),
	endedAt: timestampOrNull(row.endedAt),
	offsetSeconds: roundedSeconds(Math.max(0, (row.startedAt - firstFrameAt) / 1_000)),
});

/** The sessions of a recording, by time and without their capabilities; empty for an uploaded video. */
export async function sessionsOf(
	ctx: Context,
	recording: { jobId: number | null; createdAt: number },
): Promise<RecordingSession[]> {
	if (recording.jobId === null) return [];
	const rows = await ctx.db
		.selectFrom("recordedSession")
		.innerJoin("job", "job.id", "recordedSession.jobId")
		.select([
			...(["sessionId", "name", "startedAt", "endedAt"] as const).map((name) => `recordedSession.${name}` as const),
			"job.startedAt as firstFrameAt",
		])
		.where("recordedSession.jobId", "=", recording.jobId)
		.orderBy("recordedSession.startedAt")
		.orderBy("recordedSession.id")
		.limit(MAX_SESSIONS)
		.execute();
	return rows.map((row) => view(row, row.firstFrameAt ?? recording.createdAt));
}

/**
 * `GET /v1/sessions/{sessionId}`: a session and the recording that holds it. Of several, the one made for this session
 * alone comes first, then the newest.
 * @throws not_found if no runner of the caller's organization has seen it.
 */
export async function readSession(ctx: Context, sessionId: string): Promise<Session> {
	const { organizationId } = ctx.actor;
	const rows = await ctx.db
		.selectFrom("recordedSession")
		.innerJoin("job", "job.id", "recordedSession.jobId")
		.leftJoin("recording", (join) => join.onRef("recording.jobId", "=", "job.id").on("recording.deletedAt", "is", null))
		.selectAll("recordedSession")
		.select(["job.startedAt as firstFrameAt", "job.status", "job.stopCondition", "recording.id as recordingId"])
		.where("recordedSession.organizationId", "=", organizationId)
		.where("recordedSession.sessionId", "=", sessionId)
		.orderBy("recordedSession.id", "desc")
		.limit(100)
		.execute();
	const withVideo = rows.filter(({ recordingId }) => recordingId !== null);
	const best =
		withVideo.find(({ stopCondition }) => stopCondition === "selenium_session") ?? withVideo[0] ?? rows[0] ?? null;
	if (best === null) return readMissed(ctx, sessionId);
	const session = view(best, best.firstFrameAt ?? best.startedAt);
	const { recordingId } = best;
	const resultId = await resultIdOf(ctx, best);
	const opens = resultId === null ? `t=${session.offsetSeconds}` : `result=${resultId}`;
	return {
		...session,
		capabilities: JSON.parse(best.capabilities) as Record<string, string>,
		state: best.endedAt === null && !isEnded(best.status) ? "recording" : "recorded",
		reason: null,
		jobId: best.jobId,
		recordingId,
		url: recordingId === null ? null : `${ctx.baseUrl}/recordings/${recordingId}?${opens}`,
		outcome: best.outcome,
		message: best.message,
	};
}

/** The test result that follows from the session; null without a name or an outcome, or if tests reported their own. */
async function resultIdOf(
	ctx: Context,
	{ jobId, sessionId }: Pick<Selectable<RecordedSessionTable>, "jobId" | "sessionId">,
): Promise<number | null> {
	const row = await ctx.db
		.selectFrom("testResult")
		.select("id")
		.where("jobId", "=", jobId)
		.where("isImplied", "=", 1)
		.where("key", "=", sessionResultKey(sessionId))
		.executeTakeFirst();
	return row?.id ?? null;
}

/** A session that a runner saw, but did not record. */
async function readMissed(ctx: Context, sessionId: string): Promise<Session> {
	const row = await ctx.db
		.selectFrom("gridSession")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("sessionId", "=", sessionId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("session");
	return {
		...view(row, row.startedAt),
		offsetSeconds: null,
		capabilities: {},
		state: "not_recorded",
		reason: row.reason,
		jobId: null,
		recordingId: null,
		url: null,
		outcome: null,
		message: null,
	};
}
