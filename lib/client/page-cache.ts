/** Changing lists that are already loaded. Lists are newest first: by falling id. */
import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { Page } from "../contract/page.ts";

export type Pages<T> = InfiniteData<Page<T>, string | undefined>;

/**
 * `pages` with `item` where it belongs, or without it when it does not `belong`.
 * The same object comes back when nothing changes, so that nothing is drawn again.
 * An item that is older than everything loaded is left out: scrolling brings it.
 */
export function patchPages<T extends { id: number }>(pages: Pages<T>, item: T, belongs: boolean): Pages<T> {
	const pageIndex = pages.pages.findIndex((page) => page.data.some((one) => one.id === item.id));
	if (pageIndex >= 0) {
		return withPage(pages, pageIndex, (data) =>
			belongs ? data.map((one) => (one.id === item.id ? item : one)) : data.filter((one) => one.id !== item.id),
		);
	}
	if (!belongs || pages.pages.length === 0) return pages;
	const last = pages.pages.length - 1;
	const wanted = pages.pages.findIndex((page) => page.data.some((one) => one.id < item.id));
	if (wanted < 0 && pages.pages[last]?.nextCursor != null) return pages;
	return withPage(pages, wanted < 0 ? last : wanted, (data) => {
		const at = data.findIndex((one) => one.id < item.id);
		return at < 0 ? [...data, item] : data.toSpliced(at, 0, item);
	});
}

function withPage<T>(pages: Pages<T>, index: number, change: (data: T[]) => T[]): Pages<T> {
	return {
		...pages,
		pages: pages.pages.map((page, at) => (at === index ? { ...page, data: change(page.data) } : page)),
	};
}

/** Patches every loaded list under the key `lists`; `belongs` judges by the last part of a list's key: its filters. */
export function patchLists<T extends { id: number }>(
	client: QueryClient,
	lists: QueryKey,
	item: T,
	belongs: (filters: unknown) => boolean,
): void {
	for (const query of client.getQueryCache().findAll({ queryKey: lists })) {
		const pages = query.state.data as Pages<T> | undefined;
		if (pages === undefined) continue;
		const patched = patchPages(pages, item, belongs(query.queryKey.at(-1)));
		if (patched !== pages) client.setQueryData(query.queryKey, patched);
	}
}
