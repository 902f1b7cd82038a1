/** `GET /v1/recordings`: in the order asked for, by keyset, so that the last page costs what the first does. */
import { sql } from "kysely";
import type { Page } from "../contract/page.ts";
import type { ListRecordingsQuery, Recording } from "../contract/recording.ts";
import type { Context } from "../core/context.ts";
import { readSortedCursor, sortedPageFrom } from "../core/cursor.ts";
import { recordingView } from "./recording-view.ts";

/** @throws validation_failed at `cursor` when it is not one of ours, or of a list in another order. */
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
		// One comparison of both columns: the index leads straight to the row.
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
