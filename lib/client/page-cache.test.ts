import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { holdList, type Pages, patchLists, patchPages } from "./page-cache.ts";

type Thing = { id: number; name: string };

const thing = (id: number, name = `thing ${id}`): Thing => ({ id, name });
const pagesOf = (...pages: { ids: number[]; nextCursor: string | null }[]): Pages<Thing> => ({
	pages: pages.map(({ ids, nextCursor }) => ({ data: ids.map((id) => thing(id)), nextCursor })),
	pageParams: pages.map(() => undefined),
});
const idsOf = (pages: Pages<Thing>): number[][] => pages.pages.map((page) => page.data.map((one) => one.id));

const two = pagesOf({ ids: [9, 8, 6], nextCursor: "a" }, { ids: [5, 3], nextCursor: "b" });

test("a thing that is shown is replaced where it stands", () => {
	const patched = patchPages(two, thing(5, "renamed"), true);
	expect(idsOf(patched)).toEqual(idsOf(two));
	expect(patched.pages[1]?.data[0]?.name).toBe("renamed");
	expect(two.pages[1]?.data[0]?.name).toBe("thing 5");
});

test("a thing that fits no longer goes", () => {
	expect(idsOf(patchPages(two, thing(8), false))).toEqual([
		[9, 6],
		[5, 3],
	]);
});

test("a new thing comes in by its id, at the top as in the middle", () => {
	expect(idsOf(patchPages(two, thing(10), true))).toEqual([
		[10, 9, 8, 6],
		[5, 3],
	]);
	expect(idsOf(patchPages(two, thing(7), true))).toEqual([
		[9, 8, 7, 6],
		[5, 3],
	]);
	expect(idsOf(patchPages(two, thing(4), true))).toEqual([
		[9, 8, 6],
		[5, 4, 3],
	]);
});

test("a thing older than what is loaded waits for the scroll, unless everything is loaded", () => {
	expect(patchPages(two, thing(1), true)).toBe(two);
	const whole = pagesOf({ ids: [9, 8], nextCursor: null });
	expect(idsOf(patchPages(whole, thing(1), true))).toEqual([[9, 8, 1]]);
	expect(idsOf(patchPages(pagesOf({ ids: [], nextCursor: null }), thing(1), true))).toEqual([[1]]);
});

test("what neither is shown nor belongs changes nothing", () => {
	expect(patchPages(two, thing(7), false)).toBe(two);
});

const byName = (one: Thing, other: Thing) => one.name.localeCompare(other.name) || one.id - other.id;
const sorted: Pages<Thing> = {
	pages: [
		{ data: [thing(4, "a"), thing(7, "c"), thing(2, "e")], nextCursor: "x" },
		{ data: [thing(3, "g"), thing(9, "i")], nextCursor: "y" },
	],
	pageParams: [undefined, "x"],
};

test("in a list with an order of its own a new thing comes in by that order, equals by their ids", () => {
	expect(idsOf(patchPages(sorted, thing(10, "f"), true, false, byName))).toEqual([
		[4, 7, 2],
		[10, 3, 9],
	]);
	expect(idsOf(patchPages(sorted, thing(5, "c"), true, false, byName))[0]).toEqual([4, 5, 7, 2]);
	expect(patchPages(sorted, thing(10, "z"), true, false, byName)).toBe(sorted);
});

test("a thing whose place changed moves there, or out of what is loaded", () => {
	expect(idsOf(patchPages(sorted, thing(4, "h"), true, false, byName))).toEqual([
		[7, 2],
		[3, 4, 9],
	]);
	expect(idsOf(patchPages(sorted, thing(4, "z"), true, false, byName))).toEqual([
		[7, 2],
		[3, 9],
	]);
});

test("a list that is held keeps what no longer fits, as it is now, until it is let go", () => {
	const client = new QueryClient();
	const key = ["things", { short: true }];
	const short = (one: Thing) => one.name.length < 10;
	client.setQueryData(key, pagesOf({ ids: [9, 8, 6], nextCursor: "a" }));
	const shown = () => client.getQueryData<Pages<Thing>>(key)?.pages.flatMap((page) => page.data);
	const patch = (...items: Thing[]) => patchLists(client, ["things"], items, short);
	const letGo = holdList<Thing>(client, key, short);
	patch(thing(8, "much too long"), thing(10), thing(7, "too long as well"));
	expect(shown()?.map(({ id }) => id)).toEqual([10, 9, 8, 6]);
	expect(shown()?.[2]?.name).toBe("much too long");
	letGo();
	expect(shown()?.map(({ id }) => id)).toEqual([10, 9, 6]);
	patch(thing(6, "much too long"));
	expect(shown()?.map(({ id }) => id)).toEqual([10, 9]);
});
