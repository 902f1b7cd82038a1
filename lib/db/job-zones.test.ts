import { beforeAll, expect, test } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { idRangesOf, JOBS_PER_ZONE } from "./job-zones.ts";

const HOUR = 3_600_000;
/** Ids begin at 1. */
const firstOf = (zone: number) => Math.max(1, zone * JOBS_PER_ZONE);
const lastOf = (zone: number) => (zone + 1) * JOBS_PER_ZONE - 1;

onEachDatabase((api) => {
	beforeAll(async () => {
		// An hour each; the clock was a day behind while those of zone 2 were created.
		const zones = Array.from({ length: 6 }, (_, zone) => {
			const from = (zone === 2 ? zone - 24 : zone) * HOUR;
			return { zone, lastId: lastOf(zone), minCreatedAt: from, maxCreatedAt: from + HOUR - 1 };
		});
		await api().app.db.insertInto("jobZone").values(zones).execute();
	});

	/** Ids after the last zone may have been created at any time. */
	const ranges = async (times: { after?: number; before?: number }) =>
		(await idRangesOf(api().app.db, times)).filter(({ from }) => from <= lastOf(5));

	test.each([
		["in zones that follow one another", { after: 3 * HOUR }, [[3, 5]]],
		[
			"on both sides of a zone of another time",
			{ after: HOUR, before: 4 * HOUR },
			[
				[3, 3],
				[1, 1],
			],
		],
		["in that zone only", { before: 0 }, [[2, 2]]],
		[
			"in that zone and in the first one",
			{ before: HOUR - 1 },
			[
				[2, 2],
				[0, 0],
			],
		],
		["later than all", { after: 100 * HOUR }, []],
	] as const)("jobs %s are looked for there, the newest first", async (_, times, zones) => {
		expect(await ranges(times)).toEqual(zones.map(([from, to]) => ({ from: firstOf(from), to: lastOf(to) })));
	});
});
