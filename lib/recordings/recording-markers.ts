/** Named moments of a recording, by where in it they are: those of its job, or its own when it was made elsewhere. */
import type * as z from "zod";
import type { createRecordingMarkerBodySchema, Marker } from "../contract/marker.ts";
import type { Page } from "../contract/page.ts";
import { assertMayWrite } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { invalid } from "../core/errors.ts";
import { roundedSeconds } from "../core/rounded-seconds.ts";
import { insertMarker, type MarkerOwner, removeMarker, selectMarkers } from "../jobs/marker-store.ts";
import { findRecording, type RecordingRow } from "../lifecycle/recording-store.ts";

/** The last frame's end, as a browser tells it, may be off by a rounding. */
const TOLERANCE_SECONDS = 0.05;

/**
 * Names the moment `offsetSeconds` from the first frame.
 * @throws forbidden; not_found; validation_failed at `offsetSeconds` for a moment after the end.
 */
export async function createRecordingMarker(
	ctx: Context,
	recordingId: number,
	input: z.output<typeof createRecordingMarkerBodySchema>,
): Promise<Marker> {
	assertMayWrite(ctx);
	const row = await findRecording(ctx, recordingId);
	const { label, kind, offsetSeconds } = input;
	if (row.state !== "live" && offsetSeconds > row.durationSeconds + TOLERANCE_SECONDS) {
		const message = `Send offsetSeconds of at most ${roundedSeconds(row.durationSeconds)}: there the recording ends.`;
		throw invalid({ path: "offsetSeconds", code: "too_big", message });
	}
	const owner = await ownerOf(ctx, row);
	return insertMarker(ctx, owner, { label, kind, at: (owner.startedAt ?? 0) + offsetSeconds * 1000 });
}

/** In the order of their moments. @throws not_found */
export async function listRecordingMarkers(ctx: Context, recordingId: number): Promise<Page<Marker>> {
	return selectMarkers(ctx, await ownerOf(ctx, await findRecording(ctx, recordingId)));
}

/** @throws forbidden; not_found for the recording, and for a marker that it does not have. */
export async function deleteRecordingMarker(ctx: Context, recordingId: number, markerId: number): Promise<void> {
	assertMayWrite(ctx);
	await removeMarker(ctx, await ownerOf(ctx, await findRecording(ctx, recordingId)), markerId);
}

async function ownerOf(ctx: Context, { id, jobId, createdAt }: RecordingRow): Promise<MarkerOwner> {
	if (jobId === null) return { jobId, recordingId: id, startedAt: null };
	const job = await ctx.db.selectFrom("job").select("startedAt").where("id", "=", jobId).executeTakeFirst();
	// Bytes can be ahead of the report of the first frame.
	return { jobId, recordingId: id, startedAt: job?.startedAt ?? createdAt };
}
