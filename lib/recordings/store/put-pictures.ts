/** Stores the pictures of a recording that are on this disk in the bucket, beside its video. */
import type { Bucket } from "#lib/s3/bucket.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import { posterKey, storyboardKey } from "./object-ledger.ts";
import { fileSize } from "./video-store.ts";

export async function putPictures(
	bucket: Bucket,
	files: VideoFiles,
	{ uploadId, objectKey }: { uploadId: string; objectKey: string },
): Promise<void> {
	for (const [path, key, contentType] of [
		[files.posterPathOf(uploadId), posterKey(objectKey), "image/jpeg"],
		[files.storyboardPathOf(uploadId), storyboardKey(objectKey), "application/octet-stream"],
	] as const) {
		const end = await fileSize(path);
		if (end !== null && end > 0) await bucket.put(key, { file: { path, start: 0, end } }, contentType);
	}
}
