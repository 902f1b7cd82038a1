/** `GET /v1/recordings` and `GET /v1/recordings/{id}`. */
import { sql } from "kysely";
import type { Page } from "#lib/contract/page.ts";
import type { ListRecordingsQuery, Recording } from "#lib/contract/recording.ts";
import type { Context } from "#lib/core/context.ts";
import { readSortedCursor, sortedPageFrom } from "#lib/core/cursor.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { recordingView } from "./recording-view.ts";

/**
 * Recordings in the requested order, paged by keyset, so that every page costs the same.
 * @throws validation_failed at `cursor` if it is invalid or from a list in another order.
 */
export async function listRecordings(ctx: Context, query: ListRecordingsQuery): Promise<Page<Recording>> {
	const { sort, order, cursor, limit } = query;
	const sorting = `${sort} ${order}`;
	const after = cursor === undefined ? null : readSortedCursor(cursor, sorting);
	let recordings = ctx.db
		.selectFrom("recording")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.orderBy(sort, order)
		.orderBy("id", order)
		.limit(limit + 1);
	if (after !== null) {
		// A row-value comparison of both columns is a range in the index.
		recordings = recordings.where(({ eb, refTuple, tuple }) =>
			eb(refTuple(sort, "id"), order === "desc" ? "<" : ">", tuple(after.value, after.id)),
		);
	}
	if (query.state?.length) recordings = recordings.where("state", "in", query.state);
	if (query.verdict?.length) recordings = recordings.where("verdict", "in", query.verdict);
	if (query.runnerId !== undefined) recordings = recordings.where("runnerId", "=", query.runnerId);
	if (query.createdAfter !== undefined) recordings = recordings.where("createdAt", ">", query.createdAfter);
	if (query.createdBefore !== undefined) recordings = recordings.where("createdAt", "<", query.createdBefore);
	const text = query.q?.trim() ?? "";
	if (text !== "") recordings = recordings.where(nameContains(text));
	return sortedPageFrom(await recordings.execute(), {
		limit,
		sorting,
		rankOf: (row) => row[sort],
		view: (row) => recordingView(ctx, row),
	});
}

const nameContains = (text: string) =>
	sql<boolean>`lower(name) like ${`%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`;

/** @throws not_found */
export async function readRecording(ctx: Context, recordingId: number): Promise<Recording> {
	return recordingView(ctx, await findRecording(ctx, recordingId));
}
