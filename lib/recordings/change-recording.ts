/** `PATCH /v1/recordings/{id}`: changes the name, labels and other details of a recording, and whether it is kept. */
import type { ChangeRecording, Recording } from "@tapedeck/contract/recording.ts";
import { auditChanges } from "#lib/audit/audit-changes.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { changeDetails } from "#lib/lifecycle/change-details.ts";
import { findRecording, publishRecording } from "#lib/lifecycle/recording-store.ts";
import { detailsOf } from "./recording-details.ts";
import { recordingView } from "./recording-view.ts";

/**
 * Omitted fields stay unchanged. Its job gets the same changes.
 * @throws not_found; validation_failed at `labels` if they get too many.
 */
export async function changeRecording(ctx: Context, recordingId: number, changes: ChangeRecording): Promise<Recording> {
	const { jobId } = await findRecording(ctx, recordingId);
	const recording = await inTransaction(ctx, async (ctx) => {
		const changed = await changeDetails(ctx, jobId === null ? { recordingId } : { jobId }, changes);
		if (changed.recording === null) throw notFound("recording");
		await auditChanges(ctx, "recording", changed);
		return changed.recording;
	});
	await publishRecording(ctx, recording, { withJob: true });
	return { ...recordingView(ctx, recording), ...(await detailsOf(ctx, recording)) };
}
