/** Patches lists that are already loaded. Lists are newest first, by descending id, unless stated otherwise. */
import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";

/**
 * For queries of lists that are patched here. Patches keep unchanged objects by themselves. Structural sharing compares
 * by position, so after an insertion it would compare and copy every item behind it.
 */
export const PATCHED = { structuralSharing: false } as const;

export type Pages<T> = InfiniteData<Page<T>, string | undefined>;

/** Negative if the first sorts before the second. */
export type Compare<T> = (one: T, other: T) => number;
export const newestFirst: Compare<{ id: number }> = (one, other) => other.id - one.id;
export const oldestFirst: Compare<{ id: number }> = (one, other) => one.id - other.id;

interface PatchOptions<T> {
	compare?: Compare<T>;
	/** From this many items on, the first page takes no others at its beginning: the list has to be loaded again there. */
	maxFirstPage?: number;
}

/**
 * Returns `pages` with `item` in its position. A loaded item is replaced by its new state also if it no longer belongs:
 * pages leave it out once nobody uses the list (`useStableList`). Returns the same object if nothing changes, so that
 * nothing renders again. An item after everything loaded is left out: scrolling loads it.
 * @param belongs whether an item that is not loaded is inserted
 */
export function patchPages<T extends { id: number }>(
	pages: Pages<T>,
	item: T,
	belongs: boolean,
	options: PatchOptions<T> = {},
): Pages<T> {
	const { compare = newestFirst, maxFirstPage = Number.POSITIVE_INFINITY } = options;
	const pageIndex = pages.pages.findIndex((page) => page.data.some((one) => one.id === item.id));
	const known = pages.pages[pageIndex]?.data.find((one) => one.id === item.id);
	if (known !== undefined) {
		if (known === item) return pages;
		const moves = belongs && compare(known, item) !== 0;
		if (moves) return patchPages(withoutItem(pages, item.id), item, true, options);
		return withPage(pages, pageIndex, (data) => data.map((one) => (one.id === item.id ? item : one)));
	}
	if (!belongs || pages.pages.length === 0) return pages;
	const last = pages.pages.length - 1;
	const wanted = pages.pages.findIndex((page) => page.data.some((one) => compare(item, one) < 0));
	if (wanted < 0 && pages.pages[last]?.nextCursor != null) return pages;
	const first = pages.pages[0]?.data ?? [];
	if (first.length >= maxFirstPage && first[0] !== undefined && compare(item, first[0]) < 0) return pages;
	return withPage(pages, wanted < 0 ? last : wanted, (data) => {
		const at = data.findIndex((one) => compare(item, one) < 0);
		return at < 0 ? [...data, item] : data.toSpliced(at, 0, item);
	});
}

function withPage<T>(pages: Pages<T>, index: number, change: (data: T[]) => T[]): Pages<T> {
	return {
		...pages,
		pages: pages.pages.map((page, at) => (at === index ? { ...page, data: change(page.data) } : page)),
	};
}

function withoutItem<T extends { id: number }>(pages: Pages<T>, id: number): Pages<T> {
	const index = pages.pages.findIndex(({ data }) => data.some((one) => one.id === id));
	return index < 0 ? pages : withPage(pages, index, (data) => data.filter((one) => one.id !== id));
}

function find<T extends { id: number }>(pages: Pages<T>, id: number): T | undefined {
	for (const { data } of pages.pages) {
		const item = data.find((one) => one.id === id);
		if (item !== undefined) return item;
	}
	return undefined;
}

/** Removes an item that is gone from every loaded list under the key `lists`. */
export function dropFromLists(client: QueryClient, lists: QueryKey, id: number): void {
	for (const [key, pages] of client.getQueriesData<Pages<{ id: number }>>({ queryKey: lists })) {
		const left = pages && withoutItem(pages, id);
		if (left !== pages) client.setQueryData(key, left);
	}
}

/**
 * Patches every loaded list under the key `lists`; `belongs` gets the last part of a list's key: its filters.
 * @param options.compareBy the sort order for given filters
 * @param options.isSearched whether only the server knows what a list with these filters contains, besides `belongs`: what it
 *   has found stays, and it is asked again
 */
export function patchLists<T extends { id: number }>(
	client: QueryClient,
	lists: QueryKey,
	items: readonly T[],
	belongs: (item: T, filters: unknown) => boolean,
	options: Pick<PatchOptions<T>, "maxFirstPage"> & {
		compareBy?(filters: unknown): Compare<T>;
		isSearched?(filters: unknown): boolean;
	} = {},
): void {
	const { compareBy, maxFirstPage, isSearched } = options;
	for (const query of client.getQueryCache().findAll({ queryKey: lists })) {
		const pages = query.state.data as Pages<T> | undefined;
		if (pages === undefined) continue;
		const filters = query.queryKey.at(-1);
		const compare = compareBy?.(filters);
		const asksServer = isSearched?.(filters) === true;
		let isOutdated = asksServer && query.state.isInvalidated;
		const patched = items.reduce((now, item) => {
			const fits = belongs(item, filters);
			if (asksServer && find(now, item.id) === undefined) {
				isOutdated ||= fits;
				return now;
			}
			isOutdated ||= asksServer;
			// An event does not know what the search has found it by.
			const known = asksServer ? find(now, item.id) : undefined;
			const next = known === undefined ? item : { ...known, ...item };
			return patchPages(now, next, fits, { compare, maxFirstPage });
		}, pages);
		if (patched !== pages) client.setQueryData(query.queryKey, patched);
		// After the patch, which would make it current.
		if (isOutdated) void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: "none" });
	}
}
