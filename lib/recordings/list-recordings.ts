/** `GET /v1/recordings` and `GET /v1/recordings/{id}`. */
import type { Page } from "@tapedeck/contract/page.ts";
import type { ListRecordingsQuery, Recording } from "@tapedeck/contract/recording.ts";
import {
	RECORDING_KINDS,
	RECORDING_STATES,
	type RecordingKind,
	type RecordingState,
	VERDICTS,
} from "@tapedeck/contract/recording-kinds.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { findPage, isOfOrganization, type Source } from "#lib/search/find.ts";
import { withMatchedLines } from "#lib/search/matched-line.ts";
import type { IndexRead } from "#lib/search/plan.ts";
import { detailsOf } from "./recording-details.ts";
import { recordingView } from "./recording-view.ts";

/**
 * Recordings in the requested order, paged by keyset, so that every page costs the same.
 * @throws validation_failed at `cursor` if it is invalid or from a list in another order.
 */
export function listRecordings(ctx: Context, asked: ListRecordingsQuery): Promise<Page<Recording>> {
	const { sort, order } = asked;
	return findPage(ctx, asked, {
		table: "recording",
		isSearched: true,
		sorting: { by: sort, order, isFractional: sort === "durationSeconds" },
		source: (query) => recordingsWith(ctx, query),
		rows: (db, ids) =>
			db.selectFrom("recording").selectAll().where("id", "in", ids).orderBy(sort, order).orderBy("id", order).execute(),
		view: (rows) => withMatchedLines(ctx, asked.q, rows, (row) => recordingView(ctx, row)),
	});
}

/** The index stretches that have the recordings with these filters. Dates are a stretch of the list by age, and in no other index. */
function recordingsWith(ctx: Context, query: ListRecordingsQuery): Source {
	const { sort, runnerId, state, verdict, createdAfter, createdBefore } = query;
	const kinds = kindsOf(query);
	const hasDates = createdAfter !== undefined || createdBefore !== undefined;
	const isInOrder = sort === "createdAt" || !hasDates;
	return {
		// A runner's recordings of some days are few.
		reads: isInOrder || runnerId === undefined ? recordingReads(ctx, query) : null,
		has: !isInOrder ? "some" : kinds.length < RECORDING_KINDS.length && !isByKind(query) ? "compared" : "indexed",
		stretches: [sort === "createdAt" ? { above: createdAfter, below: createdBefore } : {}],
		filters: [
			sql`recording."deletedAt" is null`,
			...(kinds.length === RECORDING_KINDS.length ? [] : [sql`recording.kind in (${sql.join(kinds)})`]),
			...(runnerId === undefined ? [] : [sql`recording."runnerId" = ${runnerId}`]),
			...(state?.length ? [sql`recording.state in (${sql.join(state)})`] : []),
			...(verdict?.length ? [sql`recording.verdict in (${sql.join(verdict)})`] : []),
			...(createdAfter === undefined ? [] : [sql`recording."createdAt" > ${createdAfter}`]),
			...(createdBefore === undefined ? [] : [sql`recording."createdAt" < ${createdBefore}`]),
		],
		isNarrow: runnerId !== undefined,
	};
}

/** Clients that know of no kinds get videos only. */
const kindsOf = ({ kind }: ListRecordingsQuery): RecordingKind[] => (kind?.length ? [...new Set(kind)] : ["video"]);

/** Whether the index by kind, or that of all recordings, has all filters. */
const isByKind = ({ sort, runnerId, state, verdict }: ListRecordingsQuery): boolean =>
	sort === "createdAt" && runnerId === undefined && !state?.length && !verdict?.length;

/** A recording without a verdict has an empty one in the indexes, which cannot be asked for what is missing. */
const NO_VERDICT = "";

/** State and verdict are the beginning of the indexes, so several of them are as many short reads. */
function recordingReads(ctx: Context, query: ListRecordingsQuery): IndexRead[] {
	const { runnerId, state, verdict } = query;
	const kinds = kindsOf(query);
	const all = [
		// Literally, as in the indexes.
		sql`"deletedAt" is null`,
		isOfOrganization(ctx, "recording", { isNarrow: runnerId !== undefined }),
		...(runnerId === undefined ? [] : [sql`"runnerId" = ${runnerId}`]),
	];
	const read = (where: RawBuilder<unknown>[]) => ({ table: "recording", id: "id", where });
	const isAnyKind = kinds.length === RECORDING_KINDS.length;
	if (isByKind(query)) return isAnyKind ? [read(all)] : kinds.map((kind) => read([...all, sql`kind = ${kind}`]));
	if (!isAnyKind) all.push(sql`kind in (${sql.join(kinds)})`);
	const states = state?.length ? [...new Set(state)] : RECORDING_STATES;
	const verdicts = verdict?.length ? [...new Set(verdict)] : [...VERDICTS, NO_VERDICT];
	return states.flatMap((state) =>
		verdicts.map((verdict) => read([...all, stateIs(state), sql`coalesce(verdict, '') = ${verdict}`])),
	);
}

/** Literally, because indexes of size and duration leave out live recordings, and the planner must see that it fits. */
const stateIs = (state: RecordingState): RawBuilder<boolean> =>
	state === "live" ? sql`state = 'live'` : sql`state = ${sql.lit(state)} and state <> 'live'`;

/** @throws not_found */
export async function readRecording(ctx: Context, recordingId: number): Promise<Recording> {
	const row = await findRecording(ctx, recordingId);
	return { ...recordingView(ctx, row), ...(await detailsOf(ctx, row)) };
}
