import { beforeAll, expect, test } from "vitest";
import { onEachDatabase } from "#test/databases/each-database.ts";

const COUNT = 120;

onEachDatabase((api) => {
	let job: string;
	beforeAll(async () => {
		const { runnerId } = await api().signIn();
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
		const { id } = (await api().call("POST", "/v1/jobs", { body })).body;
		job = `/v1/jobs/${id}`;
		const { db } = api().app;
		// Several share a timestamp, so that ids break the tie; some markers are from before 1970.
		const at = (index: number) => (Math.floor(index / 3) - 5) * 1_000;
		for (let index = COUNT - 1; index >= 0; index--) {
			const event = {
				jobId: id,
				type: "note",
				at: at(index) + 10_000,
				message: `${index}`,
				data: "{}",
				runnerSeq: null,
			};
			await db.insertInto("jobEvent").values(event).execute();
			const marker = {
				jobId: id,
				recordingId: null,
				label: `${index}`,
				kind: "note",
				at: at(index),
				createdAt: 1,
			} as const;
			await db
				.insertInto("marker")
				.values({ organizationId: 1, ...marker })
				.execute();
		}
	});

	async function pages(path: string, limit: number): Promise<{ at: string; id: number }[][]> {
		const found = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const query: string = `limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`;
			const { status, body } = await api().call("GET", `${path}?${query}`);
			expect(status, JSON.stringify(body)).toBe(200);
			found.push(body.data);
			cursor = body.nextCursor;
		}
		return found;
	}

	test.each([
		["events", COUNT + 1],
		["markers", COUNT],
	])("%s of a job are paged by limit, each entry once, in order of time", async (list, count) => {
		for (const limit of [50, 100]) {
			const found = await pages(`${job}/${list}`, limit);
			expect(found.map((page) => page.length)).toEqual([...found.slice(1).map(() => limit), found.at(-1)?.length]);
			const all = found.flat();
			expect(new Set(all.map(({ id }) => id)).size).toBe(count);
			const inOrder = all.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.id - b.id);
			expect(all).toEqual(inOrder);
		}
		expect((await api().call("GET", `${job}/${list}`)).body.data).toHaveLength(50);
		for (const query of ["limit=101", "limit=0", "cursor=aWQ6MQ"]) {
			const { status, body } = await api().call("GET", `${job}/${list}?${query}`);
			expect([status, body.errors?.[0].path], query).toEqual([422, query.split("=")[0]]);
		}
	});
});
