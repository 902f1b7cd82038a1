/**
 * The database's record of the bucket. An object is announced before it is written, and no longer announced once a
 * row refers to it, in the same transaction; a row that goes announces its objects again. So whatever dies when, the
 * sweep finds every object that is of no use, and the bucket is never listed.
 */
import type { Context, Database } from "#lib/core/context.ts";
import type { Bucket } from "#lib/s3/bucket.ts";

/** Longer than the writing of any object takes, retries included. */
const WRITTEN_WITHIN_MS = 6 * 3_600_000;
const BATCH = 500;

type LedgerContext = Pick<Context, "db" | "clock">;

/** The poster and the storyboard of a recording are beside its video. */
export const posterKey = (objectKey: string): string => `${objectKey}.jpg`;
export const storyboardKey = (objectKey: string): string => `${objectKey}.frames`;
export const withPictures = (objectKey: string): string[] => [
	objectKey,
	posterKey(objectKey),
	storyboardKey(objectKey),
];

/** Call before objects are written. */
export function announceObjects({ db, clock }: LedgerContext, keys: readonly string[]): Promise<void> {
	return deleteLater(db, keys, clock.now() + WRITTEN_WITHIN_MS);
}

/** The object is being written in parts, which the sweep has to free if it never ends. */
export async function announceParts({ db }: LedgerContext, objectKey: string, multipartId: string): Promise<void> {
	await db.updateTable("unusedObject").set({ multipartId }).where("objectKey", "=", objectKey).execute();
}

/** Call in the transaction in which a row begins to refer to the objects. */
export async function claimObjects(db: Database, keys: readonly string[]): Promise<void> {
	await db.deleteFrom("unusedObject").where("objectKey", "in", keys).execute();
}

/**
 * Lets the sweep delete whatever the bucket holds of these uploads, and their records. Call in the transaction that
 * deletes their rows.
 * @param videos the keys of their videos, where they have one.
 */
export async function discardObjects(
	{ db, clock }: LedgerContext,
	uploadIds: readonly string[],
	videos: readonly (string | null)[],
): Promise<void> {
	if (uploadIds.length === 0) return;
	await db.deleteFrom("upload").where("id", "in", uploadIds).execute();
	await discardSegments({ db, clock }, uploadIds);
	await discardVideos({ db, clock }, videos);
}

/** Call in the transaction in which their rows stop to refer to them. */
export async function discardVideos({ db, clock }: LedgerContext, videos: readonly (string | null)[]): Promise<void> {
	await deleteLater(db, videos.filter((key) => key !== null).flatMap(withPictures), clock.now());
}

export async function discardSegments({ db, clock }: LedgerContext, uploadIds: readonly string[]): Promise<void> {
	const segments = await db
		.deleteFrom("videoSegment")
		.where("uploadId", "in", uploadIds)
		.returning("objectKey")
		.execute();
	const keys = segments.map(({ objectKey }) => objectKey);
	await deleteLater(db, keys, clock.now());
}

/** The keys of an upload's segments, from its beginning up to the first that is missing. */
export async function segmentsOf(db: Database, uploadId: string): Promise<string[]> {
	const rows = await db
		.selectFrom("videoSegment")
		.select(["number", "objectKey"])
		.where("uploadId", "=", uploadId)
		.orderBy("number")
		.execute();
	const missing = rows.findIndex(({ number }, index) => number !== index);
	return rows.slice(0, missing === -1 ? rows.length : missing).map(({ objectKey }) => objectKey);
}

/** Deletes objects that are of no use. Run by a timer, by one process at a time. */
export async function sweepObjects(ctx: LedgerContext, bucket: Bucket, stopping: AbortSignal): Promise<void> {
	while (!stopping.aborted) {
		const due = await ctx.db
			.selectFrom("unusedObject")
			.select(["objectKey", "multipartId"])
			.where("deleteAfter", "<=", ctx.clock.now())
			.orderBy("deleteAfter")
			.limit(BATCH)
			.execute();
		for (const { objectKey, multipartId } of due) {
			if (multipartId !== null) await bucket.abortParts(objectKey, multipartId);
		}
		const keys = due.map(({ objectKey }) => objectKey);
		await bucket.remove(keys);
		if (keys.length > 0) await claimObjects(ctx.db, keys);
		if (due.length < BATCH) return;
	}
}

async function deleteLater(db: Database, keys: readonly string[], deleteAfter: number): Promise<void> {
	for (let from = 0; from < keys.length; from += BATCH) {
		await db
			.insertInto("unusedObject")
			.values(keys.slice(from, from + BATCH).map((objectKey) => ({ objectKey, deleteAfter, multipartId: null })))
			.onConflict((conflict) => conflict.column("objectKey").doUpdateSet({ deleteAfter }))
			.execute();
	}
}
