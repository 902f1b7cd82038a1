/** Queries on markers. A marker belongs to a job, or to an uploaded recording. */
import type { Marker } from "@tapedeck/contract/marker.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import { FRAME_RATES } from "@tapedeck/contract/video-kinds.ts";
import type { Selectable } from "kysely";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { readSortedCursor, sortedPageFrom } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import { roundedSeconds, timestamp } from "#lib/core/times.ts";
import type { MarkerTable } from "#lib/db/schema.ts";
import { type Changed, changeDetails } from "./change-details.ts";
import { publishJob } from "./job-store.ts";
import { publishRecording } from "./recording-store.ts";

/** The owner of markers, and the recording that shows them, if any. */
export interface MarkerOwner {
	jobId: number | null;
	recordingId: number | null;
	/** When the first frame was captured, in milliseconds since 1970; null before that, and if unknown. */
	startedAt: number | null;
	/** The length of the video; null while it grows, and if unknown. */
	durationSeconds: number | null;
	/** Frame rate of the video; null if unknown. */
	framesPerSecond: number | null;
}

/** `at` as stored, in milliseconds: since 1970 for a job, from the first frame otherwise. */
type NewMarker = Pick<Marker, "label" | "kind"> & { message?: string | null; at: number };

/**
 * Inserts and publishes markers. One of the kind `fail` also sets the outcome, unless there is one or a reporter is
 * expected to report it.
 * @param markers at least one.
 * @returns them in the same order.
 */
export async function insertMarkers(
	ctx: Context,
	owner: MarkerOwner,
	markers: readonly NewMarker[],
): Promise<Marker[]> {
	const { rows, changed } = await inTransaction(ctx, async (ctx) => {
		const rows = await insertMarkerRows(ctx, owner, markers);
		return { rows, changed: markers.some(({ kind }) => kind === "fail") ? await fail(ctx, owner) : null };
	});
	publishMarkers(ctx, owner);
	if (changed?.job != null) publishJob(ctx, changed.job);
	if (changed?.recording != null) await publishRecording(ctx, changed.recording);
	return rows.map((row) => markerView(row, owner));
}

async function fail(ctx: Context, { jobId, recordingId }: MarkerOwner): Promise<Changed | null> {
	const of = jobId !== null ? { jobId } : recordingId !== null ? { recordingId } : null;
	return of === null ? null : changeDetails(ctx, of, { hasFailMarker: true });
}

/**
 * Maximum time of a marker ahead of the dashboard's clock: clocks of callers and runners are never exact.
 */
export const MAX_AHEAD_MS = 5_000;

/**
 * Inserts markers in a transaction; call `publishMarkers` after the commit.
 * @param markers at least one. Runners report what has happened: what is in the future is as late as it can be.
 */
export async function insertMarkerRows(
	ctx: Context,
	owner: Pick<MarkerOwner, "jobId" | "recordingId">,
	markers: readonly NewMarker[],
) {
	const now = ctx.clock.now();
	const latest = owner.jobId === null ? Number.POSITIVE_INFINITY : now + MAX_AHEAD_MS;
	const common = {
		organizationId: ctx.actor.organizationId,
		jobId: owner.jobId,
		recordingId: owner.jobId === null ? owner.recordingId : null,
		createdAt: now,
	};
	const rows = await ctx.db
		.insertInto("marker")
		.values(
			markers.map(({ label, kind, message = null, at }) => ({
				...common,
				label,
				kind,
				message,
				at: Math.min(Math.round(at), latest),
			})),
		)
		.returningAll()
		.execute();
	// Databases number the rows in their order, but may return them in any.
	return rows.sort((a, b) => a.id - b.id);
}

const SORTING = "at asc";

/** A page of markers, by time. @throws validation_failed at `cursor`. */
export async function selectMarkers(
	ctx: Context,
	owner: MarkerOwner,
	{ limit, cursor }: PageQuery,
): Promise<Page<Marker>> {
	const after = cursor === undefined ? null : readSortedCursor(cursor, SORTING);
	let markers = ctx.db
		.selectFrom("marker")
		.selectAll()
		.where(columnOf(owner), "=", owner.jobId ?? owner.recordingId)
		.orderBy("at")
		.orderBy("id")
		.limit(limit + 1);
	if (after !== null) {
		markers = markers.where(({ eb, refTuple, tuple }) => eb(refTuple("at", "id"), ">", tuple(after.value, after.id)));
	}
	const view = (row: Selectable<MarkerTable>) => markerView(row, owner);
	return sortedPageFrom(await markers.execute(), { limit, sorting: SORTING, rankOf: ({ at }) => at, view });
}

/** @throws not_found if the owner has no such marker. */
export async function removeMarker(ctx: Context, owner: MarkerOwner, markerId: number): Promise<void> {
	const row = await ctx.db
		.deleteFrom("marker")
		.where("id", "=", markerId)
		.where(columnOf(owner), "=", owner.jobId ?? owner.recordingId)
		.returning("id")
		.executeTakeFirst();
	if (row === undefined) throw notFound("marker");
	publishMarkers(ctx, owner);
}

const columnOf = ({ jobId }: MarkerOwner) => (jobId === null ? "recordingId" : "jobId");

export const publishMarkers = (
	ctx: Context,
	{ jobId, recordingId }: Pick<MarkerOwner, "jobId" | "recordingId">,
): void => ctx.events.publish({ type: "markers", organizationId: ctx.actor.organizationId, jobId, recordingId });

function markerView(row: Selectable<MarkerTable>, owner: MarkerOwner): Marker {
	const { id, label, kind, message, at } = row;
	const { jobId } = owner;
	const time = jobId === null ? null : timestamp(at);
	return { id, jobId, label, kind, message, at: time, ...placeMarker(at, owner) };
}

/**
 * The time at which the video shows a marker. Outside of the video, that is the nearest end, by the video's present length:
 * a runner that was lost can still add to it.
 * @param at as stored.
 */
export function placeMarker(
	at: number,
	{ jobId, startedAt, durationSeconds, framesPerSecond }: Omit<MarkerOwner, "recordingId">,
): Pick<Marker, "offsetSeconds" | "clampedTo"> {
	if (jobId === null) return { offsetSeconds: at / 1000, clampedTo: null };
	if (startedAt === null) return { offsetSeconds: null, clampedTo: null };
	if (at < startedAt) return { offsetSeconds: 0, clampedTo: "start" };
	const offsetSeconds = (at - startedAt) / 1000;
	if (durationSeconds === null || offsetSeconds <= durationSeconds) return { offsetSeconds, clampedTo: null };
	const isShown = at <= shownUntil(startedAt, durationSeconds, framesPerSecond);
	return { offsetSeconds: roundedSeconds(durationSeconds), clampedTo: isShown ? null : "end" };
}

/** No longer than this, or than a frame, does the runner leave out frames that are equal to the one before. */
const LONGEST_SAME_MS = 334;

/**
 * Until when a video shows what was there, in milliseconds since 1970: frames that are equal to the last one are not in
 * it, so a recording of a still screen stopped up to a third of a second, or a frame, after its video ends.
 */
export const shownUntil = (startedAt: number, durationSeconds: number, framesPerSecond: number | null): number =>
	startedAt +
	Math.ceil(durationSeconds * 1000) +
	Math.max(LONGEST_SAME_MS, Math.ceil(1_000 / (framesPerSecond ?? FRAME_RATES.default)));
