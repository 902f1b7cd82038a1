/** Reads a stretch of a track, by time, without reading all of it. */
import type { Page } from "@tapedeck/contract/page.ts";
import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import { type ReadTrackQuery, TRACK_LEVELS, type TrackLine } from "@tapedeck/contract/track.ts";
import type { Context } from "#lib/core/context.ts";
import { readSortedCursor, sortedPageFrom } from "#lib/core/cursor.ts";
import { invalid, notFound } from "#lib/core/errors.ts";
import { roundedSeconds, timestamp } from "#lib/core/times.ts";
import type { StoredLine } from "./read-line.ts";
import { type BlockSummary, blocksOf, findTrack, findTrackJob, readBlockLines } from "./track-store.ts";

/** A line with its number, which breaks ties. */
type NumberedLine = StoredLine & { id: number };

/**
 * `GET /v1/jobs/{id}/tracks/{name}`: lines by time, those of one time in the order of arrival. Blocks are read in the
 * order of their times, until none that is left can have a line of the page: of a track whose lines arrived in order,
 * as many as the page needs.
 * @throws not_found if the caller's organization has no such job, or the job no such track; gone if its recording was
 *   deleted; validation_failed at `cursor`, or at `from` before the first frame is captured.
 */
export async function readTrack(
	ctx: Context,
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
	/** Times run backwards in the other order. */
	const sign = order === "asc" ? 1 : -1;
	const rankOf = ({ at, id }: { at: number; id: number }): [number, number] => [sign * at, sign * id];
	const start = after === null ? null : rankOf({ at: after.value, id: after.id });
	const isWanted = filterOf(query, startedAt);
	const lines: NumberedLine[] = [];
	const blocks = (await blocksOf(ctx, track.id)).filter(isWanted.block).sort((a, b) => sign * (edgeOf(a) - edgeOf(b)));
	function edgeOf(block: BlockSummary): number {
		return order === "asc" ? block.minAt : block.maxAt;
	}
	for (const block of blocks) {
		const last = lines[limit];
		if (last !== undefined && sign * edgeOf(block) > sign * last.at) break;
		if (after !== null && sign * (order === "asc" ? block.maxAt : block.minAt) < sign * after.value) continue;
		for (const [index, line] of (await readBlockLines(ctx, track.id, block.number)).entries()) {
			const numbered = { ...line, id: block.firstLine + index };
			if (!isWanted.line(numbered)) continue;
			if (start !== null && compare(rankOf(numbered), start) <= 0) continue;
			lines.push(numbered);
		}
		lines.sort((a, b) => compare(rankOf(a), rankOf(b)));
		lines.length = Math.min(lines.length, limit + 1);
	}
	return sortedPageFrom(lines, {
		limit,
		sorting,
		rankOf: ({ at }) => at,
		view: ({ id, at, text, level, data }): TrackLine => ({
			...{
				line: id,
				at: timestamp(at),
				offsetSeconds: startedAt === null ? null : roundedSeconds((at - startedAt) / 1000),
			},
			...{ text, level, data },
		}),
	});
}

const compare = (a: [number, number], b: [number, number]): number => a[0] - b[0] || a[1] - b[1];

/** Which blocks may have lines that are asked for, and which lines are. */
function filterOf({ from, to, q, level }: ReadTrackQuery, startedAt: number | null) {
	if ((from !== undefined || to !== undefined) && startedAt === null) {
		const message = "Leave out from and to until the recording has begun: no frame was captured yet.";
		throw invalid({ path: from === undefined ? "to" : "from", code: "invalid", message });
	}
	const timeOf = (seconds: number) => (startedAt ?? 0) + Math.round(seconds * 1000);
	const earliest = from === undefined ? Number.NEGATIVE_INFINITY : timeOf(from);
	const latest = to === undefined ? Number.POSITIVE_INFINITY : timeOf(to);
	const leastLevel = level === undefined ? -1 : TRACK_LEVELS.indexOf(level);
	const wanted = q?.toLowerCase() ?? "";
	return {
		block: ({ minAt, maxAt, maxLevel }: BlockSummary): boolean =>
			maxAt >= earliest && minAt <= latest && maxLevel >= leastLevel,
		line: ({ at, text, level }: StoredLine): boolean =>
			at >= earliest &&
			at <= latest &&
			(level === null ? -1 : TRACK_LEVELS.indexOf(level)) >= leastLevel &&
			(wanted === "" || withoutColours(text).toLowerCase().includes(wanted)),
	};
}
