import type { Recording } from "@tapedeck/contract/recording.ts";
import { expect, test } from "vitest";
import {
	apiQuery,
	compareBy,
	filtersFromSearch,
	isFiltered,
	matchesFilters,
	type RecordingFilters,
	searchFromFilters,
} from "./recording-filters.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const recording = {
	labels: { build: "7" } as Recording["labels"],
	outcome: null,
	id: 5,
	name: "Checkout 100%",
	state: "ready",
	verdict: "black",
	runnerId: 3,
	durationSeconds: 10,
	bytes: 1000,
	createdAt: "2026-11-21T11:30:00.000Z",
} as Recording;

test("filters and the order survive the URL", () => {
	const filters: RecordingFilters = {
		q: "a&b =c",
		state: ["live", "partial"],
		verdict: ["frozen"],
		runnerId: 12,
		age: "7d",
		sort: "bytes",
		order: "asc",
	};
	expect(filtersFromSearch(new URLSearchParams(searchFromFilters(filters)))).toEqual(filters);
	expect(searchFromFilters({})).toBe("");
});

test("invalid filters and defaults are left out of the URL", () => {
	const search = "?state=asleep&verdict=&runnerId=0&age=2d&sort=name&order=up&q=%20&sort=createdAt";
	expect(filtersFromSearch(new URLSearchParams(search))).toEqual({});
	expect(filtersFromSearch(new URLSearchParams("?sort=createdAt&order=desc"))).toEqual({});
});

test("every filter counts as filtering, sorting does not", () => {
	expect(isFiltered({ sort: "bytes", order: "asc" })).toBe(false);
	for (const filters of [{ q: "x" }, { state: ["live" as const] }, { age: "1h" as const }]) {
		expect(isFiltered(filters)).toBe(true);
	}
});

test("an age is sent to the API as a time", () => {
	expect(apiQuery({ age: "1h", q: "x" }, NOW)).toEqual({ q: "x", createdAfter: "2026-11-21T11:00:00.000Z" });
	expect(apiQuery({ q: "x" }, NOW)).toEqual({ q: "x" });
});

test.each<[RecordingFilters, boolean]>([
	[{}, true],
	[{ q: "whatever the server finds" }, true],
	[{ state: ["live"] }, false],
	[{ state: ["live", "ready"] }, true],
	[{ verdict: ["ok", "frozen"] }, false],
	[{ verdict: ["black"] }, true],
	[{ runnerId: 3 }, true],
	[{ runnerId: 4 }, false],
	[{ age: "1h" }, true],
])("filters match as the server matches them: %j", (filters, fits) => {
	expect(matchesFilters(recording, filters, NOW)).toBe(fits);
	expect(matchesFilters({ ...recording, createdAt: "2026-11-21T10:59:59.000Z" }, { age: "1h" }, NOW)).toBe(false);
	expect(matchesFilters({ ...recording, verdict: null }, { verdict: ["ok"] }, NOW)).toBe(false);
});

test("every order matches the server's, with ties broken by id in the same direction", () => {
	const older = { ...recording, id: 4, createdAt: "2026-11-21T11:00:00.000Z", bytes: 2000 };
	const sameTime = { ...recording, id: 6 };
	const idsBy = (filters: RecordingFilters) =>
		[sameTime, older, recording].sort(compareBy(filters)).map(({ id }) => id);
	expect(idsBy({})).toEqual([6, 5, 4]);
	expect(idsBy({ order: "asc" })).toEqual([4, 5, 6]);
	expect(idsBy({ sort: "bytes" })).toEqual([4, 6, 5]);
	expect(idsBy({ sort: "durationSeconds", order: "asc" })).toEqual([4, 5, 6]);
});
