/** `GET /v1/recordings/{id}`. */
import type { Recording } from "../contract/recording.ts";
import type { Context } from "../core/context.ts";
import { findRecording } from "../lifecycle/recording-store.ts";
import { recordingView } from "./recording-view.ts";

/** @throws not_found */
export async function readRecording(ctx: Context, recordingId: number): Promise<Recording> {
	return recordingView(ctx, await findRecording(ctx, recordingId));
}
