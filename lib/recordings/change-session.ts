/** `PATCH /v1/sessions/{sessionId}`: what became of a session of a grid, as its client says it. */
import type { ChangeSession, Session } from "@tapedeck/contract/session.ts";
import { auditChanges } from "#lib/audit/audit-changes.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { changeDetails } from "#lib/lifecycle/change-details.ts";
import { lockJob, publishJob } from "#lib/lifecycle/job-store.ts";
import { publishRecording } from "#lib/lifecycle/recording-store.ts";
import { updateResultsOfJob } from "#lib/test-results/store/implied-results.ts";
import { ownedByJob } from "#lib/test-results/store/result-owner.ts";
import { publishResults } from "#lib/test-results/store/result-store.ts";
import { readSession } from "./sessions.ts";

/**
 * Sets the outcome in all recordings that hold the session. A recording that was made for this session alone has the same.
 * @throws not_found if no recording of the caller's organization holds it.
 */
export async function changeSession(ctx: Context, sessionId: string, change: ChangeSession): Promise<Session> {
	const jobs = await ctx.db
		.selectFrom("recordedSession")
		.select("jobId")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("sessionId", "=", sessionId)
		.orderBy("jobId")
		.execute();
	if (jobs.length === 0) throw notFound("session");
	for (const { jobId } of jobs) await changeIn(ctx, jobId, sessionId, change);
	return readSession(ctx, sessionId);
}

async function changeIn(
	ctx: Context,
	jobId: number,
	sessionId: string,
	{ outcome, message = null }: ChangeSession,
): Promise<void> {
	const changed = await inTransaction(ctx, async (ctx) => {
		await lockJob(ctx, jobId);
		await ctx.db
			.updateTable("recordedSession")
			.set({ outcome, message, outcomeAt: outcome === null ? null : ctx.clock.now() })
			.where("jobId", "=", jobId)
			.where("sessionId", "=", sessionId)
			.execute();
		const job = await ctx.db.selectFrom("job").selectAll().where("id", "=", jobId).executeTakeFirstOrThrow();
		if (job.stopCondition !== "selenium_session") {
			await updateResultsOfJob(ctx, job);
			return null;
		}
		const changed = await changeDetails(ctx, { jobId }, { outcome });
		await auditChanges(ctx, "job", changed);
		return changed;
	});
	if (changed?.job) publishJob(ctx, changed.job);
	if (changed?.recording) await publishRecording(ctx, changed.recording);
	publishResults(ctx, ownedByJob(jobId));
}
