/** Cursors of keyset pages: opaque to the caller, the last row's id to us. */
import { invalid } from "./errors.ts";

/** @returns the cursor that continues after the row with this id. */
export const cursorAfter = (id: number): string => Buffer.from(`id:${id}`).toString("base64url");

/** @returns the id that a cursor continues after. @throws validation_failed at `cursor` when it is none of ours. */
export function readCursor(cursor: string): number {
	const match = /^id:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
	if (match === null) {
		throw invalid({
			path: "cursor",
			code: "invalid",
			message: "Send the nextCursor of an earlier answer, or leave it out.",
		});
	}
	return Number(match[1]);
}

/** A page of `limit` rows from `limit + 1` that were asked for: one more tells that there is more. */
export function pageFrom<Row extends { id: number }, Item>(rows: Row[], limit: number, view: (row: Row) => Item) {
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	return { data: shown.map(view), nextCursor: rows.length > limit && last !== undefined ? cursorAfter(last.id) : null };
}
