import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { dropFromLists, type Pages, patchLists, patchPages } from "./page-cache.ts";

type Item = { id: number; name: string };

const item = (id: number, name = `item ${id}`): Item => ({ id, name });
const pagesOf = (...pages: { ids: number[]; nextCursor: string | null }[]): Pages<Item> => ({
	pages: pages.map(({ ids, nextCursor }) => ({ data: ids.map((id) => item(id)), nextCursor })),
	pageParams: pages.map(() => undefined),
});
const idsOf = (pages: Pages<Item>): number[][] => pages.pages.map((page) => page.data.map((one) => one.id));

const two = pagesOf({ ids: [9, 8, 6], nextCursor: "a" }, { ids: [5, 3], nextCursor: "b" });

test("an item that is shown is replaced in place", () => {
	const patched = patchPages(two, item(5, "renamed"), true);
	expect(idsOf(patched)).toEqual(idsOf(two));
	expect(patched.pages[1]?.data[0]?.name).toBe("renamed");
	expect(two.pages[1]?.data[0]?.name).toBe("item 5");
});

test("an item that no longer matches stays in its place with its new state until it is deleted", () => {
	const client = new QueryClient();
	client.setQueryData(["items", {}], two);
	const shown = () => client.getQueryData<Pages<Item>>(["items", {}]);
	patchLists(client, ["items"], [item(8, "renamed")], () => false);
	expect(shown()?.pages[0]?.data.map(({ name }) => name)).toEqual(["item 9", "renamed", "item 6"]);
	dropFromLists(client, ["items"], 8);
	expect(shown() && idsOf(shown() as Pages<Item>)).toEqual([
		[9, 6],
		[5, 3],
	]);
});

test("a new item is inserted by its id, at the top or in the middle", () => {
	expect(idsOf(patchPages(two, item(10), true))).toEqual([
		[10, 9, 8, 6],
		[5, 3],
	]);
	expect(idsOf(patchPages(two, item(7), true))).toEqual([
		[9, 8, 7, 6],
		[5, 3],
	]);
	expect(idsOf(patchPages(two, item(4), true))).toEqual([
		[9, 8, 6],
		[5, 4, 3],
	]);
});

test("an item older than what is loaded is left to the next page, unless everything is loaded", () => {
	expect(patchPages(two, item(1), true)).toBe(two);
	const whole = pagesOf({ ids: [9, 8], nextCursor: null });
	expect(idsOf(patchPages(whole, item(1), true))).toEqual([[9, 8, 1]]);
	expect(idsOf(patchPages(pagesOf({ ids: [], nextCursor: null }), item(1), true))).toEqual([[1]]);
});

test("a full first page takes no more new items above it, and its own still change", () => {
	const patch = (pages: Pages<Item>, one: Item) => patchPages(pages, one, true, { maxFirstPage: 4 });
	const full = patch(two, item(10));
	expect(idsOf(full)[0]).toEqual([10, 9, 8, 6]);
	expect(patch(full, item(11))).toBe(full);
	expect(idsOf(patch(full, item(7)))[0]).toEqual([10, 9, 8, 7, 6]);
	expect(patch(full, item(10, "renamed")).pages[0]?.data[0]?.name).toBe("renamed");
});

test("an item that is not shown and does not match changes nothing", () => {
	expect(patchPages(two, item(7), false)).toBe(two);
});

const byName = (one: Item, other: Item) => one.name.localeCompare(other.name) || one.id - other.id;
const sorted: Pages<Item> = {
	pages: [
		{ data: [item(4, "a"), item(7, "c"), item(2, "e")], nextCursor: "x" },
		{ data: [item(3, "g"), item(9, "i")], nextCursor: "y" },
	],
	pageParams: [undefined, "x"],
};

test("in a sorted list a new item is inserted by that order, with ties broken by id", () => {
	expect(idsOf(patchPages(sorted, item(10, "f"), true, { compare: byName }))).toEqual([
		[4, 7, 2],
		[10, 3, 9],
	]);
	expect(idsOf(patchPages(sorted, item(5, "c"), true, { compare: byName }))[0]).toEqual([4, 5, 7, 2]);
	expect(patchPages(sorted, item(10, "z"), true, { compare: byName })).toBe(sorted);
});

test("an item whose position changed moves there, or out of the loaded pages", () => {
	expect(idsOf(patchPages(sorted, item(4, "h"), true, { compare: byName }))).toEqual([
		[7, 2],
		[3, 4, 9],
	]);
	expect(idsOf(patchPages(sorted, item(4, "z"), true, { compare: byName }))).toEqual([
		[7, 2],
		[3, 9],
	]);
});
