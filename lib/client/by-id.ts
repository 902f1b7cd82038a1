/**
 * Where a thing stands in a list by falling id, or would stand if it were there: a hundred thousand rows are no
 * reason to look at each.
 */
export function placeOf(items: readonly { readonly id: number }[], id: number): number {
	let [from, to] = [0, items.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((items[middle]?.id ?? 0) > id) from = middle + 1;
		else to = middle;
	}
	return from;
}

/** The index of a thing in a list by falling id; -1 when it is not there. */
export function indexOfId(items: readonly { readonly id: number }[], id: number): number {
	const place = placeOf(items, id);
	return items[place]?.id === id ? place : -1;
}
