/** Markers of a recording by their offset in it: its job's markers, or its own if it was uploaded. */
import type { createRecordingMarkerBodySchema, Marker } from "@tapedeck/contract/marker.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import type * as z from "zod";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { roundedSeconds } from "#lib/core/times.ts";
import { frameRateOf } from "#lib/lifecycle/labels.ts";
import {
	insertMarkers,
	MAX_AHEAD_MS,
	type MarkerOwner,
	removeMarker,
	selectMarkers,
} from "#lib/lifecycle/marker-store.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";

/** The end of the last frame, as browsers report it, may be off by a rounding error. */
const TOLERANCE_SECONDS = 0.05;

type NewMarker = z.output<typeof createRecordingMarkerBodySchema>;

/**
 * Adds a marker at `offsetSeconds` from the first frame.
 * @throws not_found; validation_failed at `offsetSeconds` if it is after the end, or while it records, after now.
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
	const owner = await ownerOf(ctx, row);
	const { max, message } = longest(ctx, row, owner);
	const faults = inputs.flatMap(({ offsetSeconds }, index) =>
		offsetSeconds > max ? [{ path: pathOf(index), code: "too_big", message }] : [],
	);
	if (faults.length > 0) throw invalid(faults);
	const atOf = (offsetSeconds: number): number => (owner.startedAt ?? 0) + offsetSeconds * 1000;
	const markers = inputs.map(({ offsetSeconds, ...marker }) => ({ ...marker, at: atOf(offsetSeconds) }));
	return insertMarkers(ctx, owner, markers);
}

/** The largest offset that a marker can have: the end of the video, or while it records, now. */
function longest(ctx: Context, { state, durationSeconds }: RecordingRow, { startedAt }: MarkerOwner) {
	if (state !== "live") {
		const message = `Send offsetSeconds of at most ${roundedSeconds(durationSeconds)}, the length of the recording.`;
		return { max: durationSeconds + TOLERANCE_SECONDS, message };
	}
	// Nobody knows how long the video will be that is being uploaded.
	if (startedAt === null) return { max: Number.POSITIVE_INFINITY, message: "" };
	const seconds = Math.max(0, ctx.clock.now() - startedAt) / 1_000;
	const message = `Send offsetSeconds of at most ${roundedSeconds(seconds)}: so long it has been recording.`;
	return { max: seconds + MAX_AHEAD_MS / 1_000, message };
}

/** Markers by time. @throws not_found; validation_failed at `cursor`. */
export async function listRecordingMarkers(ctx: Context, recordingId: number, query: PageQuery): Promise<Page<Marker>> {
	return selectMarkers(ctx, await ownerOf(ctx, await findRecording(ctx, recordingId)), query);
}

/** @throws not_found if there is no such recording, or it has no such marker. */
export async function deleteRecordingMarker(ctx: Context, recordingId: number, markerId: number): Promise<void> {
	await removeMarker(ctx, await ownerOf(ctx, await findRecording(ctx, recordingId)), markerId);
}

async function ownerOf(ctx: Context, { id, jobId, createdAt, state, ...row }: RecordingRow): Promise<MarkerOwner> {
	const durationSeconds = state === "live" ? null : row.durationSeconds;
	const framesPerSecond = frameRateOf(row);
	if (jobId === null) return { jobId, recordingId: id, startedAt: null, durationSeconds, framesPerSecond };
	const job = await ctx.db.selectFrom("job").select("startedAt").where("id", "=", jobId).executeTakeFirst();
	// Bytes can arrive before the report of the first frame.
	return { jobId, recordingId: id, startedAt: job?.startedAt ?? createdAt, durationSeconds, framesPerSecond };
}
