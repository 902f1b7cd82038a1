/** Finds a recording's video, which may be on the disk or in the bucket, and move while it is looked for. */
import type { ByteSource } from "@tapedeck/media/byte-source.ts";
import type { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import { isInBucket, type StoredRow } from "./open-object.ts";

/** Handlers of a video, by its location. */
interface Work<T> {
	inBucket: (row: StoredRow) => Promise<T>;
	onDisk: (row: RecordingRow, video: GrowingVideo) => Promise<T>;
}

/** @throws not_found if the recording doesn't exist, or its file is not here. */
export async function findVideo<T>(
	ctx: RecordingContext,
	recordingId: number,
	{ inBucket, onDisk }: Work<T>,
): Promise<T> {
	for (let attempt = 1; ; attempt += 1) {
		const row = await findRecording(ctx, recordingId);
		try {
			if (isInBucket(row)) return await inBucket(row);
			return await ctx.videoFiles.use(row.uploadId, row.state === "live", (video) => onDisk(row, video));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
			// Since the row was read, it may have moved to the bucket; of a partial recording, this disk may have nothing yet.
			if (attempt === 2) throw nothingPlayable();
			if (row.state !== "live") await ctx.videoStore.restore(row.uploadId);
		}
	}
}

/**
 * The response for a video on the disk: a fragmented MP4 as a progressive one, anything else unchanged. Header and length
 * belong together, because the file may grow while it is opened.
 * @throws not_found if nothing is playable yet.
 */
export function playableOf(row: RecordingRow, { index, bytes }: GrowingVideo): Omit<ByteSource, "handle"> {
	if (row.kind === "video" && index.playable) return { head: index.header(), fileBytes: index.completeBytes };
	if (row.state === "ready") return { head: Buffer.alloc(0), fileBytes: bytes };
	throw nothingPlayable();
}

export const nothingPlayable = () =>
	new TapedeckError("not_found", "This recording has no video yet, or its file is missing. Try again in a moment.");
