/** Cursors for keyset pagination. Opaque to callers; they encode the position of the last row in the list's order. */
import type { Order } from "@tapedeck/contract/recording-kinds.ts";
import { invalid } from "./errors.ts";

const prefixOf = (order: Order): string => (order === "desc" ? "id:" : "id asc:");

/** @returns the cursor that continues after the row with this id. */
export const cursorAfter = (id: number, order: Order = "desc"): string =>
	Buffer.from(`${prefixOf(order)}${id}`).toString("base64url");

/**
 * @returns the id that a cursor continues after.
 * @throws validation_failed at `cursor` when it is malformed, or from a list in the other order.
 */
export function readCursor(cursor: string, order: Order = "desc"): number {
	const match = /^(id(?: asc)?:)([1-9]\d{0,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
	if (match?.[1] !== prefixOf(order)) throw invalidCursor();
	return Number(match[2]);
}

/** The error for a malformed cursor. */
export const invalidCursor = () =>
	invalid({
		path: "cursor",
		code: "invalid",
		message: "Send the nextCursor of an earlier response with the same sort and order, or leave it out.",
	});

/** Makes a page of `limit` rows from a query for `limit + 1`: the extra row shows that there is a next page. */
export function pageFrom<Row extends { id: number }, Item>(rows: Row[], limit: number, view: (row: Row) => Item) {
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	const more = rows.length > limit && last !== undefined;
	return { data: shown.map(view), nextCursor: more ? cursorAfter(last.id) : null };
}

/** The end of a page of a sorted list: the last row's sort value, and its id to break ties. */
export interface SortedPlace {
	value: number;
	id: number;
}

/**
 * @param sorting identifies the list's order, such as `bytes desc`.
 * @param values whether the list is sorted by a column of whole numbers, with which PostgreSQL compares no others.
 * @throws validation_failed at `cursor` when it is malformed, or from a list in another order.
 */
export function readSortedCursor(
	cursor: string,
	sorting: string,
	values: "whole" | "fractional" = "whole",
): SortedPlace {
	const text = Buffer.from(cursor, "base64url").toString("latin1");
	const match = /^(.+):(-?\d[\d.e+-]*):([1-9]\d{0,15})$/.exec(text);
	const place = { value: Number(match?.[2]), id: Number(match?.[3]) };
	const isValid = values === "whole" ? Number.isSafeInteger(place.value) : Number.isFinite(place.value);
	if (match?.[1] !== sorting || !isValid) throw invalidCursor();
	return place;
}

/** @returns the cursor that continues after this place. */
export const sortedCursorAfter = ({ value, id }: SortedPlace, sorting: string): string =>
	Buffer.from(`${sorting}:${value}:${id}`).toString("base64url");

/** Like `pageFrom`, for rows sorted by a number. */
export function sortedPageFrom<Row extends { id: number }, Item>(
	rows: Row[],
	options: { limit: number; sorting: string; rankOf(row: Row): number; view(row: Row): Item },
) {
	const { limit, sorting, rankOf, view } = options;
	const { data } = pageFrom(rows, limit, view);
	const last = rows[limit - 1];
	const more = rows.length > limit && last !== undefined;
	return { data, nextCursor: more ? sortedCursorAfter({ value: rankOf(last), id: last.id }, sorting) : null };
}
