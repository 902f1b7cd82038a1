/** A finished recording's video in the bucket. */
import { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { Bucket } from "#lib/s3/bucket.ts";
import { ObjectFile } from "#lib/s3/object-file.ts";

/** Null if the dashboard is not configured for one. */
type HasBucket = { bucket: Bucket | null };

/** A row whose video is in the bucket. */
export type StoredRow = RecordingRow & { objectKey: string };

export const isInBucket = (row: RecordingRow): row is StoredRow => row.objectKey !== null;

/** Length of its object, which is also what a download has. */
export const objectBytes = ({ downloadBytes, bytes }: RecordingRow): number => downloadBytes ?? bytes;

/** @throws unavailable if this dashboard knows of no bucket. */
export function bucketOf({ bucket }: HasBucket): Bucket {
	if (bucket !== null) return bucket;
	throw new TapedeckError(
		"unavailable",
		"This video is stored in a bucket that the dashboard is not configured for. Ask its operator to set TAPEDECK_STORAGE_URL.",
	);
}

/** A stored file. Makes no request before it is read. */
export const openObjectOf = (ctx: HasBucket, objectKey: string, bytes: number): ObjectFile =>
	new ObjectFile(bucketOf(ctx), objectKey, bytes);

/** The video as it is played. */
export const openObject = (ctx: HasBucket, row: StoredRow): ObjectFile =>
	openObjectOf(ctx, row.objectKey, objectBytes(row));

/** The video as it was recorded, with its index, for which all of it is read. */
export async function indexObject(ctx: HasBucket, row: StoredRow): Promise<GrowingVideo> {
	const video = new GrowingVideo(row.objectKey, true);
	const openOwn = () => new ObjectFile(bucketOf(ctx), row.objectKey, objectBytes(row), row.objectHeaderBytes ?? 0);
	const own = openOwn();
	await video.grew(own, own.size);
	video.open = async () => openOwn();
	return video;
}
