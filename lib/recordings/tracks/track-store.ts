/**
 * The store of tracks: in the database, in compressed blocks of lines in the order of arrival
 * (docs/decisions/0041-tracks-in-blocks.md).
 */
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import { kindOfTrack, TRACK_LEVELS, type Track, type TrackList } from "@tapedeck/contract/track.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestampOrNull } from "#lib/core/times.ts";
import type { TrackTable } from "#lib/db/schema.ts";
import type { StoredBlock } from "./find-lines.ts";
import type { StoredLine } from "./read-line.ts";

/** A block gets lines until it has so many bytes of NDJSON. */
export const TRACK_BLOCK_BYTES = 64 * 1024;
const FASTEST = { level: 1 };
const compress = promisify<Buffer, { level: number }, Buffer>(deflate);
const decompress = promisify<Buffer, Buffer>(inflate);

export type TrackRow = Selectable<TrackTable>;
type StoreContext = Pick<Context, "db">;

/** Fields of a job that its tracks need. */
export interface TrackJob {
	id: number;
	/** When the first frame was captured, in milliseconds since 1970. */
	startedAt: number | null;
}

/** @throws not_found if the caller's organization has no such job; gone if its recording was deleted. */
export async function findTrackJob({ db, actor }: Context, jobId: number): Promise<TrackJob> {
	const job = await db
		.selectFrom("job")
		.select(["id", "startedAt", "recordingDeletedAt"])
		.where("id", "=", jobId)
		.where("organizationId", "=", actor.organizationId)
		.executeTakeFirst();
	if (job === undefined) throw notFound("job");
	if (job.recordingDeletedAt !== null) {
		throw new TapedeckError("gone", "The recording of this job was deleted, and its tracks with it.");
	}
	return job;
}

export const findTrack = ({ db }: StoreContext, jobId: number, name: string): Promise<TrackRow | undefined> =>
	db.selectFrom("track").selectAll().where("jobId", "=", jobId).where("name", "=", name).executeTakeFirst();

/** `GET /v1/jobs/{id}/tracks`: by name. @throws not_found, gone */
export async function listTracks(ctx: Context, jobId: number): Promise<TrackList> {
	const job = await findTrackJob(ctx, jobId);
	return { data: (await tracksOf(ctx, job.id)).map(trackView) };
}

/** All tracks of a job, by name. */
export const tracksOf = ({ db }: StoreContext, jobId: number): Promise<TrackRow[]> =>
	db.selectFrom("track").selectAll().where("jobId", "=", jobId).orderBy("name").execute();

export const trackView = ({
	name,
	lines,
	bytes,
	received,
	firstAt,
	lastAt,
}: Pick<TrackRow, "name" | "lines" | "bytes" | "received" | "firstAt" | "lastAt">): Track => ({
	name,
	kind: kindOfTrack(name),
	lines,
	bytes,
	received,
	firstAt: timestampOrNull(firstAt),
	lastAt: timestampOrNull(lastAt),
});

/** Lines that are not stored yet. */
interface NewLines {
	lines: readonly StoredLine[];
	/** The same as they are stored. */
	ndjson: string;
	/** Size of the line in UTF-8. */
	bytes: number;
	/** Bytes of the sender's stream before their beginning and their end. */
	from: number;
	to: number;
	/** Hash of the last line, as it was sent. */
	lastLineHash: string | null;
}

/**
 * Appends lines. In a transaction.
 * @returns the track's row; undefined if another caller has appended since, and nothing was.
 */
export async function appendLines(
	{ db }: StoreContext,
	track: TrackRow,
	{ lines, ndjson, bytes, from, to, lastLineHash }: NewLines,
): Promise<TrackRow | undefined> {
	const times = lines.map(({ at }) => at);
	const [minAt, maxAt] = lines.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)];
	// Locks the row: nobody else appends until the end of the transaction.
	const guarded = await db
		.updateTable("track")
		.set({ received: to, lastLineHash })
		.where("id", "=", track.id)
		.where("received", "=", from)
		.returningAll()
		.executeTakeFirst();
	if (guarded === undefined || minAt === null || maxAt === null) return guarded;
	const last = await db
		.selectFrom("trackBlock")
		.selectAll()
		.where("trackId", "=", track.id)
		.orderBy("number", "desc")
		.limit(1)
		.executeTakeFirst();
	const maxLevel = Math.max(...lines.map(({ level }) => (level === null ? -1 : TRACK_LEVELS.indexOf(level))));
	const grows = last !== undefined && last.bytes < TRACK_BLOCK_BYTES;
	const before = grows ? await decompress(last.content) : Buffer.alloc(0);
	const content = await compress(Buffer.concat([before, Buffer.from(ndjson)]), FASTEST);
	const block = grows
		? {
				...last,
				bytes: last.bytes + bytes,
				minAt: Math.min(last.minAt, minAt),
				maxAt: Math.max(last.maxAt, maxAt),
				maxLevel: Math.max(last.maxLevel, maxLevel),
				content,
			}
		: {
				trackId: track.id,
				number: (last?.number ?? -1) + 1,
				firstLine: guarded.lines + 1,
				bytes,
				minAt,
				maxAt,
				maxLevel,
				content,
			};
	if (grows) {
		await db
			.updateTable("trackBlock")
			.set(block)
			.where("trackId", "=", track.id)
			.where("number", "=", block.number)
			.execute();
	} else await db.insertInto("trackBlock").values(block).execute();
	return db
		.updateTable("track")
		.set({
			lines: guarded.lines + lines.length,
			bytes: guarded.bytes + bytes,
			storedBytes: guarded.storedBytes + content.length - (grows ? last.content.length : 0),
			firstAt: Math.min(guarded.firstAt ?? minAt, minAt),
			lastAt: Math.max(guarded.lastAt ?? maxAt, maxAt),
		})
		.where("id", "=", track.id)
		.returningAll()
		.executeTakeFirstOrThrow();
}

/** Columns of a block without its content. */
export interface BlockSummary {
	number: number;
	firstLine: number;
	minAt: number;
	maxAt: number;
	maxLevel: number;
}

/** The blocks of a track in the order of arrival. */
export const blocksOf = ({ db }: StoreContext, trackId: number): Promise<BlockSummary[]> =>
	db
		.selectFrom("trackBlock")
		.select(["number", "firstLine", "minAt", "maxAt", "maxLevel"])
		.where("trackId", "=", trackId)
		.orderBy("number")
		.execute();

/** A block as NDJSON; empty if it was deleted. */
export async function readBlock({ db }: StoreContext, trackId: number, number: number): Promise<Buffer> {
	const block = await db
		.selectFrom("trackBlock")
		.select("content")
		.where("trackId", "=", trackId)
		.where("number", "=", number)
		.executeTakeFirst();
	return block === undefined ? Buffer.alloc(0) : decompress(block.content);
}

/** Blocks as they are stored, without those that were deleted. */
export const readStoredBlocks = (
	{ db }: StoreContext,
	trackId: number,
	blocks: readonly Pick<BlockSummary, "number">[],
): Promise<StoredBlock[]> =>
	db
		.selectFrom("trackBlock")
		.select(["firstLine", "content"])
		.where("trackId", "=", trackId)
		.where(
			"number",
			"in",
			blocks.map(({ number }) => number),
		)
		.execute();

/**
 * The first bytes of a track as NDJSON, in the order of arrival.
 * @throws if it was deleted meanwhile.
 */
export async function* readNdjson(ctx: StoreContext, trackId: number, bytes: number): AsyncGenerator<Buffer> {
	let left = bytes;
	for (let number = 0; left > 0; number += 1) {
		const block = (await readBlock(ctx, trackId, number)).subarray(0, left);
		if (block.length === 0) throw new Error("A track was deleted while it was read.");
		left -= block.length;
		yield block;
	}
}

/** Deletes the tracks of jobs whose recordings go. Call in that transaction. */
export async function deleteTracks({ db }: StoreContext, jobIds: readonly (number | null)[]): Promise<void> {
	const ofJobs = jobIds.filter((id) => id !== null);
	if (ofJobs.length > 0) await db.deleteFrom("track").where("jobId", "in", ofJobs).execute();
}
