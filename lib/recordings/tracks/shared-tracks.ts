/** `GET /v1/shared/{token}/tracks` and `…/tracks/{name}`: the tracks of a recording that a link includes. */
import type { Page } from "@tapedeck/contract/page.ts";
import type { ReadTrackQuery, TrackLine, TrackList } from "@tapedeck/contract/track.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import { readTrack } from "./read-track.ts";
import { listTracks } from "./track-store.ts";

/** None of an uploaded video. @throws not_found if the recording was deleted. */
export async function listSharedTracks(ctx: Context, recordingId: number): Promise<TrackList> {
	const { jobId } = await findRecording(ctx, recordingId);
	return jobId === null ? { data: [] } : listTracks(ctx, jobId);
}

/** @throws not_found; otherwise as readTrack. */
export async function readSharedTrack(
	ctx: RecordingContext,
	recordingId: number,
	name: string,
	query: ReadTrackQuery,
): Promise<Page<TrackLine>> {
	const { jobId } = await findRecording(ctx, recordingId);
	if (jobId === null) throw notFound("track");
	return readTrack(ctx, jobId, name, query);
}
