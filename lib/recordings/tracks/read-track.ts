/** Reads a stretch of a track, by time, without reading all of it. */
import type { Page } from "@tapedeck/contract/page.ts";
import { type ReadTrackQuery, TRACK_LEVELS, type TrackLine } from "@tapedeck/contract/track.ts";
import { readSortedCursor, sortedPageFrom } from "#lib/core/cursor.ts";
import { invalid, notFound } from "#lib/core/errors.ts";
import { roundedSeconds, timestamp } from "#lib/core/times.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inOrder, type LineQuery, type NumberedLine, rankOf } from "./find-lines.ts";
import type { FindLines } from "./track-reader.ts";
import { type BlockSummary, blocksOf, findTrack, findTrackJob, readStoredBlocks } from "./track-store.ts";

/** Number of blocks read at a time: one for most pages, more while a search continues. */
const MAX_BLOCKS = 16;

/**
 * `GET /v1/jobs/{id}/tracks/{name}`: lines by time, those of one time in the order of arrival. Blocks are read in the
 * order of their times, until none that is left can have a line of the page: of a track whose lines arrived in order,
 * as many as the page needs.
 * @throws not_found if the caller's organization has no such job, or the job no such track; gone if its recording was
 *   deleted; validation_failed at `cursor`, or at `from` before the first frame is captured; a DatabaseError.
 */
export async function readTrack(
	ctx: RecordingContext,
	jobId: number,
	name: string,
	query: ReadTrackQuery,
): Promise<Page<TrackLine>> {
	const { startedAt } = await findTrackJob(ctx, jobId);
	const track = await findTrack(ctx, jobId, name);
	if (track === undefined) throw notFound("track");
	const { limit, order, cursor } = query;
	const sorting = `at ${order}`;
	const after = cursor === undefined ? null : readSortedCursor(cursor, sorting);
	const wanted = lineQueryOf(query, startedAt, after);
	const lines = await ctx.trackReader.take(ctx, (find) => findPage(ctx, track.id, wanted, find));
	return sortedPageFrom(lines, {
		limit,
		sorting,
		rankOf: ({ at }) => at,
		view: ({ id, at, text, level, data }): TrackLine => ({
			line: id,
			at: timestamp(at),
			offsetSeconds: startedAt === null ? null : roundedSeconds((at - startedAt) / 1000),
			text,
			level,
			data,
		}),
	});
}

/** @returns a line more than the page has, if there is one. */
async function findPage(
	ctx: RecordingContext,
	trackId: number,
	query: LineQuery,
	find: FindLines,
): Promise<NumberedLine[]> {
	const { sign, limit, after, earliest, latest, leastLevel } = query;
	/** The start and the end of its lines in the order of the page. */
	const edgesOf = ({ minAt, maxAt }: BlockSummary): [first: number, last: number] =>
		sign === 1 ? [minAt, maxAt] : [-maxAt, -minAt];
	const blocks = (await blocksOf(ctx, trackId))
		.filter(({ minAt, maxAt, maxLevel }) => maxAt >= earliest && minAt <= latest && maxLevel >= leastLevel)
		.filter((block) => after === null || edgesOf(block)[1] >= after[0])
		.sort((a, b) => edgesOf(a)[0] - edgesOf(b)[0]);
	let lines: NumberedLine[] = [];
	for (let at = 0, count = 1; at < blocks.length; at += count, count = Math.min(2 * count, MAX_BLOCKS)) {
		const last = lines.length < limit ? undefined : lines.at(-1);
		const before = last === undefined ? null : rankOf(query, last);
		const some = blocks.slice(at, at + count).filter((block) => before === null || edgesOf(block)[0] <= before[0]);
		if (some.length === 0) break;
		const found = await find({ ...query, before }, await readStoredBlocks(ctx, trackId, some));
		lines = inOrder(query, [...lines, ...found]);
	}
	return lines;
}

function lineQueryOf(
	{ from, to, q, level, order, limit }: ReadTrackQuery,
	startedAt: number | null,
	cursor: { value: number; id: number } | null,
): LineQuery {
	if ((from !== undefined || to !== undefined) && startedAt === null) {
		const message = "Leave out from and to until the recording has begun: no frame was captured yet.";
		throw invalid({ path: from === undefined ? "to" : "from", code: "invalid", message });
	}
	const timeOf = (seconds: number) => (startedAt ?? 0) + Math.round(seconds * 1000);
	const sign = order === "asc" ? 1 : -1;
	return {
		earliest: from === undefined ? Number.NEGATIVE_INFINITY : timeOf(from),
		latest: to === undefined ? Number.POSITIVE_INFINITY : timeOf(to),
		leastLevel: level === undefined ? -1 : TRACK_LEVELS.indexOf(level),
		text: q?.toLowerCase() ?? "",
		sign,
		before: null,
		limit: limit + 1,
		after: cursor === null ? null : rankOf({ sign }, { at: cursor.value, id: cursor.id }),
	};
}
