/** `POST /v1/jobs/{id}/privacy`: begins and ends private stretches, in which the runner records black. */
import type { Privacy } from "@tapedeck/contract/privacy.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Change, type Context, creatorOf, inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { pollUntil } from "#lib/core/poll-until.ts";
import { timestamp } from "#lib/core/times.ts";
import { addJobEvent, type JobRow, lockOwnJob, publishJob } from "#lib/lifecycle/job-store.ts";
import { isConfirmed, readPrivacy, writePrivacy } from "#lib/lifecycle/privacy.ts";
import { mayCapture } from "#lib/lifecycle/transitions.ts";

const WAIT_MS = 10_000;

/**
 * Returns once nothing of the display is recorded any more (`on`), or once it is recorded again. A job that is still
 * queued begins so.
 *
 * @param signal ends the wait early: the caller disconnected, or the server is stopping.
 * @throws not_found if the job doesn't exist in the caller's organization; conflict if it records no more, or another caller
 *   asked for the opposite meanwhile; privacy_unconfirmed if its runner has not confirmed it in time: it stays asked for.
 */
export async function changePrivacy(ctx: Context, jobId: number, on: boolean, signal: AbortSignal): Promise<Privacy> {
	const changed = await inTransaction(ctx, async (ctx) => {
		const job = await lockOwnJob(ctx, jobId);
		if (job.type !== "recording") throw isNoRecording();
		if (!mayCapture(job.status, job.stopReason)) throw recordsNoMore(job);
		const state = readPrivacy(job);
		if (state.on === on) return null;
		await addJobEvent(ctx, jobId, changeEvent(on, creatorOf(ctx)?.name ?? "Tapedeck"));
		await audit(ctx, {
			action: on ? "job.privacy_started" : "job.privacy_ended",
			target: { kind: "job", id: jobId, name: job.name },
		});
		return writePrivacy(ctx, jobId, { ...state, version: state.version + 1, on });
	});
	if (changed !== null) publishJob(ctx, changed);
	return confirmation(ctx, jobId, on, signal);
}

const isNoRecording = (): TapedeckError =>
	new TapedeckError("conflict", "Only recordings can be private. A screenshot is one picture: cancel it instead.");

const changeEvent = (on: boolean, by: string) =>
	on
		? { type: "privacy_requested", message: `Privacy requested by ${by}.`, data: { by } }
		: { type: "privacy_end_requested", message: `End of privacy requested by ${by}.`, data: { by } };

/** Waits until the runner does as it is asked. */
async function confirmation(ctx: Context, jobId: number, on: boolean, signal: AbortSignal): Promise<Privacy> {
	const read = () => ctx.db.selectFrom("job").selectAll().where("id", "=", jobId).executeTakeFirstOrThrow();
	const isRelevant = (change: Change) => "jobId" in change && change.jobId === jobId;
	const isFinal = (job: JobRow) => confirmedBy(job, on) !== null;
	const job = await pollUntil(ctx, { read, isFinal, isRelevant, timeoutMs: WAIT_MS }, signal);
	const confirmed = confirmedBy(job, on);
	if (confirmed !== null) return confirmed;
	const runner = await ctx.db.selectFrom("runner").select("name").where("id", "=", job.runnerId).executeTakeFirst();
	const meanwhile = on ? "what the display shows may still be recorded" : "the video is still black";
	throw new TapedeckError(
		"privacy_unconfirmed",
		`${runner?.name ?? "The runner"} has not confirmed it within ${WAIT_MS / 1_000} s: ${meanwhile}. It stays asked for; send the call again to wait for it. Check that the runner is connected, and as new as this dashboard.`,
	);
}

/**
 * @returns null while the runner has not confirmed it.
 * @throws conflict if it never will.
 */
function confirmedBy(job: JobRow, on: boolean): Privacy | null {
	const state = readPrivacy(job);
	if (!mayCapture(job.status, job.stopReason)) throw recordsNoMore(job);
	if (state.on !== on) {
		throw new TapedeckError(
			"conflict",
			"Somebody has asked for the opposite meanwhile. Agree on one, and send it again.",
		);
	}
	if (job.status === "queued" || state.version === 0) return { on, effectiveAt: null };
	if (state.confirmed === null || !isConfirmed(state)) return null;
	return { on, effectiveAt: timestamp(state.confirmed.at) };
}

const recordsNoMore = ({ id }: JobRow): TapedeckError =>
	new TapedeckError("conflict", `Job ${id} does not record any more. Send this while it is queued or recording.`);
