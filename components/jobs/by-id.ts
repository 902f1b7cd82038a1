/**
 * The index of an item in a list by descending or ascending id, or the index at which it would be inserted. A binary
 * search, because lists may have a hundred thousand rows.
 */
export function placeOf(items: readonly { readonly id: number }[], id: number): number {
	let [from, to] = [0, items.length];
	const ascends = (items[0]?.id ?? 0) < (items.at(-1)?.id ?? 0);
	while (from < to) {
		const middle = (from + to) >> 1;
		const other = items[middle]?.id ?? 0;
		if (ascends ? other < id : other > id) from = middle + 1;
		else to = middle;
	}
	return from;
}

/** The index of an item in a list by id; -1 if it is missing. */
export function indexOfId(items: readonly { readonly id: number }[], id: number): number {
	const place = placeOf(items, id);
	return items[place]?.id === id ? place : -1;
}
