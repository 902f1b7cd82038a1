/** Markers of a recording by their offset in it: its job's markers, or its own if it was uploaded. */
import type * as z from "zod";
import type { createRecordingMarkerBodySchema, Marker } from "#lib/contract/marker.ts";
import type { Page, PageQuery } from "#lib/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { roundedSeconds } from "#lib/core/times.ts";
import { insertMarkers, type MarkerOwner, removeMarker, selectMarkers } from "#lib/lifecycle/marker-store.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";

/** The end of the last frame, as browsers report it, may be off by a rounding error. */
const TOLERANCE_SECONDS = 0.05;

type NewMarker = z.output<typeof createRecordingMarkerBodySchema>;

/**
 * Adds a marker at `offsetSeconds` from the first frame.
 * @throws not_found; validation_failed at `offsetSeconds` if it is after the end.
 */
export async function createRecordingMarker(ctx: Context, recordingId: number, input: NewMarker): Promise<Marker> {
	const [marker] = await createAll(ctx, recordingId, [input], () => "offsetSeconds");
	return marker as Marker;
}

/**
 * Adds many markers, or none.
 * @returns them in the same order.
 * @throws the same, with faults at `markers.0.offsetSeconds`.
 */
export function createRecordingMarkers(
	ctx: Context,
	recordingId: number,
	inputs: readonly NewMarker[],
): Promise<Marker[]> {
	return createAll(ctx, recordingId, inputs, (index) => `markers.${index}.offsetSeconds`);
}

async function createAll(
	ctx: Context,
	recordingId: number,
	inputs: readonly NewMarker[],
	pathOf: (index: number) => string,
): Promise<Marker[]> {
	const row = await findRecording(ctx, recordingId);
	const message = `Send offsetSeconds of at most ${roundedSeconds(row.durationSeconds)}, the length of the recording.`;
	const faults = inputs.flatMap(({ offsetSeconds }, index) =>
		row.state !== "live" && offsetSeconds > row.durationSeconds + TOLERANCE_SECONDS
			? [{ path: pathOf(index), code: "too_big", message }]
			: [],
	);
	if (faults.length > 0) throw invalid(faults);
	const owner = await ownerOf(ctx, row);
	const atOf = (offsetSeconds: number): number => (owner.startedAt ?? 0) + offsetSeconds * 1000;
	const markers = inputs.map(({ label, kind, offsetSeconds }) => ({ label, kind, at: atOf(offsetSeconds) }));
	return insertMarkers(ctx, owner, markers);
}

/** Markers by time. @throws not_found; validation_failed at `cursor`. */
export async function listRecordingMarkers(ctx: Context, recordingId: number, query: PageQuery): Promise<Page<Marker>> {
	return selectMarkers(ctx, await ownerOf(ctx, await findRecording(ctx, recordingId)), query);
}

/** @throws not_found if there is no such recording, or it has no such marker. */
export async function deleteRecordingMarker(ctx: Context, recordingId: number, markerId: number): Promise<void> {
	await removeMarker(ctx, await ownerOf(ctx, await findRecording(ctx, recordingId)), markerId);
}

async function ownerOf(ctx: Context, { id, jobId, createdAt }: RecordingRow): Promise<MarkerOwner> {
	if (jobId === null) return { jobId, recordingId: id, startedAt: null };
	const job = await ctx.db.selectFrom("job").select("startedAt").where("id", "=", jobId).executeTakeFirst();
	// Bytes can arrive before the report of the first frame.
	return { jobId, recordingId: id, startedAt: job?.startedAt ?? createdAt };
}
