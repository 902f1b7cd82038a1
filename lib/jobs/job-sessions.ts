/** Sessions of a grid, as runners report them with a job: stored with the job, and shown as chapters of its video. */
import { MAX_LABELS } from "@tapedeck/contract/labels.ts";
import { SESSION_MARKER } from "@tapedeck/contract/recording-kinds.ts";
import type { JobReportOf } from "@tapedeck/contract/runner-protocol.ts";
import { MAX_SESSIONS, type ReportedSession } from "@tapedeck/contract/session.ts";
import type { Context } from "#lib/core/context.ts";
import { changeDetails } from "#lib/lifecycle/change-details.ts";
import type { JobRow } from "#lib/lifecycle/job-store.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import { insertMarkerRows } from "#lib/lifecycle/marker-store.ts";
import { GENERATED_NAME } from "./create-job.ts";

/** The names of sessions by which a recording is found are limited to about so many characters. */
const MAX_SEARCH_TEXT = 8_000;

/**
 * Stores that a session came or went.
 * @param ctx its database must be a transaction; call `publishMarkersOf` after the commit.
 * @param at when, in milliseconds since 1970.
 */
export async function storeSession(
	ctx: Context,
	job: JobRow,
	report: JobReportOf<"session_started" | "session_ended">,
	at: number,
): Promise<void> {
	if (report.type === "session_ended") await endSession(ctx, job, report.session.sessionId, at);
	else await beginSession(ctx, job, report.session, at);
}

async function beginSession(ctx: Context, job: JobRow, session: ReportedSession, at: number): Promise<void> {
	const { sessionId, name, capabilities } = session;
	const { organizationId, runnerId } = job;
	const known = await ctx.db
		.selectFrom("recordedSession")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("jobId", "=", job.id)
		.executeTakeFirstOrThrow();
	if (Number(known.count) >= MAX_SESSIONS) return;
	const inserted = await ctx.db
		.insertInto("recordedSession")
		.values({
			organizationId,
			jobId: job.id,
			sessionId,
			name,
			startedAt: at,
			endedAt: null,
			capabilities: JSON.stringify(capabilities),
		})
		.onConflict((conflict) => conflict.columns(["jobId", "sessionId"]).doNothing())
		.returning("id")
		.executeTakeFirst();
	await ctx.db
		.insertInto("gridSession")
		.values({ organizationId, sessionId, runnerId, name, startedAt: at, recorded: 1 })
		.onConflict((conflict) =>
			conflict.columns(["organizationId", "sessionId"]).doUpdateSet({ recorded: 1, reason: null }),
		)
		.execute();
	if (inserted === undefined) {
		// A runner that restarted, or lost sight of it, sees it again.
		await setEnd(ctx, job, sessionId, null);
		return;
	}
	await applySessionCapabilities(ctx, job, session);
	const owner = { jobId: job.id, recordingId: null };
	const label = name ?? `Session ${sessionId.slice(0, 100)}`;
	await insertMarkerRows(ctx, owner, [{ label, kind: SESSION_MARKER, at: Math.max(at, job.startedAt ?? at) }]);
}

/**
 * Name and labels that the client of a session requests for its recording. Changes that others made to the job
 * take precedence.
 */
async function applySessionCapabilities(
	ctx: Context,
	job: JobRow,
	{ name, capabilities, labels }: ReportedSession,
): Promise<void> {
	const known = readLabels(job);
	const wanted = Object.entries(labels).filter(([key]) => !Object.hasOwn(known, key));
	const fits = wanted.slice(0, MAX_LABELS - Object.keys(known).length);
	const isForJob = job.stopCondition === "selenium_session" || capabilities["tapedeck:name"] !== undefined;
	const isFound = name === null || (job.searchText ?? "").length > MAX_SEARCH_TEXT;
	const changes = {
		...(name !== null && isForJob && GENERATED_NAME.test(job.name) ? { name } : {}),
		...(fits.length === 0 ? {} : { labels: Object.fromEntries(fits) }),
		...(isFound ? {} : { texts: [name] }),
	};
	if (Object.keys(changes).length > 0) await changeDetails(ctx, { jobId: job.id }, changes);
}

async function endSession(ctx: Context, job: JobRow, sessionId: string, at: number): Promise<void> {
	await setEnd(ctx, job, sessionId, at);
	await ctx.db
		.updateTable("gridSession")
		.set({ endedAt: at })
		.where("organizationId", "=", job.organizationId)
		.where("sessionId", "=", sessionId)
		.execute();
}

const setEnd = (ctx: Context, job: JobRow, sessionId: string, endedAt: number | null) =>
	ctx.db
		.updateTable("recordedSession")
		.set({ endedAt })
		.where("jobId", "=", job.id)
		.where("sessionId", "=", sessionId)
		.execute();
