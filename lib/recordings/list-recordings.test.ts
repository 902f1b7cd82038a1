import type { Recording } from "@tapedeck/contract/recording.ts";
import { beforeAll, expect, test } from "vitest";
import { LOOKED_AT } from "#lib/search/plan.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

const HOUR = 3_600_000;
const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
/** Lengths and sizes repeat, so that ids break the tie; 1/3 has no finite decimal form. */
const LENGTHS = [1 / 3, 10, 0, 1 / 3, 604_800, 10, 1 / 3];
const SIZES = [5e12, 0, 7, 7, 7, 5e12, 1];

onEachDatabase((api) => {
	let runnerId = 0;

	beforeAll(async () => {
		runnerId = (await api().signIn()).runnerId;
		const { db } = api().app;
		const { id: organizationId } = await db.selectFrom("organization").select("id").executeTakeFirstOrThrow();
		const rows = LENGTHS.map((durationSeconds, index) => ({
			organizationId,
			jobId: null,
			runnerId: index % 2 === 0 ? runnerId : null,
			name: `Take ${index}${index === 4 ? " 100%_done" : ""}`,
			state: (["ready", "partial", "live"] as const)[index % 3] ?? "ready",
			contentType: "video/mp4",
			uploadId: `test-${index}`,
			durationSeconds,
			bytes: SIZES[index] ?? 0,
			verdict: (["ok", "black", "frozen", null] as const)[index % 4] ?? null,
			// The clock was set back between the last two.
			createdAt: BEGIN + (index === 6 ? 4.5 : index) * HOUR,
			updatedAt: BEGIN,
		}));
		for (const row of rows) await db.insertInto("recording").values(row).execute();
	});

	const list = async (query: string): Promise<{ data: Recording[]; nextCursor: string | null }> => {
		const answer = await api().call("GET", `/v1/recordings?${query}`);
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		return answer.body;
	};
	const numbers = (recordings: readonly Recording[]) => recordings.map(({ name }) => Number(name.split(" ")[1]));
	const inPages = async (query: string, limit: number) => {
		const found: number[] = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const page = await list(`${query}&limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
			expect(page.data.length).toBeGreaterThan(0);
			found.push(...numbers(page.data));
			cursor = page.nextCursor;
		}
		return found;
	};

	test("the default order is newest first, by creation time", async () => {
		expect(numbers((await list("")).data)).toEqual([5, 6, 4, 3, 2, 1, 0]);
	});

	test.each([
		["sort=createdAt&order=asc", [0, 1, 2, 3, 4, 6, 5]],
		["sort=durationSeconds", [4, 5, 1, 6, 3, 0, 2]],
		["sort=durationSeconds&order=asc", [2, 0, 3, 6, 1, 5, 4]],
		["sort=bytes", [5, 0, 4, 3, 2, 6, 1]],
		["sort=bytes&order=asc", [1, 6, 2, 3, 4, 0, 5]],
	])("%s: pages of every size add up to one order, with ties broken by id", async (query, order) => {
		for (const limit of [1, 2, 3, 7]) expect(await inPages(query, limit), `limit ${limit}`).toEqual(order);
	});

	test.each([
		["state=ready&state=partial", [6, 4, 3, 1, 0]],
		["verdict=black&verdict=frozen", [5, 6, 2, 1]],
		["createdAfter=2026-11-01T01:00:00Z&createdBefore=2026-11-01T04:00:00Z", [3, 2]],
		["q=100%25_D", [4]],
		["state=ready&verdict=ok&q=take&sort=bytes", [0]],
		["createdAfter=2026-11-01T00:30:00Z&createdBefore=2026-11-01T03:30:00Z&sort=bytes&order=asc", [1, 2, 3]],
		["q=take&createdAfter=2026-11-01T03:30:00Z&sort=durationSeconds", [4, 5, 6]],
	])("%s: lists only the matching recordings", async (query, order) => {
		expect(await inPages(query, 2)).toEqual(order);
	});

	test("runnerId lists the runner's recordings, each with its runnerId", async () => {
		const { data } = await list(`runnerId=${runnerId}`);
		expect(numbers(data)).toEqual([6, 4, 2, 0]);
		expect(data.map((recording) => recording.runnerId)).toEqual([runnerId, runnerId, runnerId, runnerId]);
		expect((await list(`runnerId=${runnerId + 1}`)).data).toEqual([]);
	});

	test("a word with a number, among more names than are compared one by one, finds those that have all of it", async () => {
		const { db } = api().app;
		const row = (name: string, index: number) => ({
			...{ organizationId: 1, jobId: null, runnerId: null, name, state: "ready" as const, contentType: "video/mp4" },
			...{ uploadId: `number-${index}`, durationSeconds: 1, bytes: 1, verdict: null },
			...{ createdAt: BEGIN - (1_000 - index) * HOUR, updatedAt: BEGIN },
		});
		const newer = Array.from({ length: LOOKED_AT }, (_, index) => row("newer", index + 10));
		const rows = [row("best-12345", 0), row("test-12345", 1), ...newer];
		await db.insertInto("recording").values(rows).execute();
		try {
			const found = await list("q=test-12345");
			expect(found.data.map(({ name }) => name)).toEqual(["test-12345"]);
			expect((await list("q=test-12345 zzz")).data).toEqual([]);
		} finally {
			await db.deleteFrom("recording").where("uploadId", "like", "number-%").execute();
		}
	});

	test("limit=100 on a last page that has fewer recordings lists them all, without a cursor", async () => {
		const { nextCursor } = await list("limit=3");
		const last = await list(`limit=100&cursor=${nextCursor}`);
		expect(numbers(last.data)).toEqual([3, 2, 1, 0]);
		expect(last.nextCursor).toBeNull();
	});

	test("a search of ten kilobytes is refused at its name", async () => {
		const { status, body } = await api().call("GET", `/v1/recordings?q=${"x".repeat(10_000)}`);
		expect([status, body.errors[0].path]).toEqual([422, "q"]);
	});

	test("a cursor continues a list with other filters below its recording", async () => {
		const { nextCursor } = await list("state=ready&limit=1");
		expect(numbers((await list(`q=take&limit=3&cursor=${nextCursor}`)).data)).toEqual([4, 3, 2]);
	});

	test("a cursor of another sort or order, or an invalid one, is rejected at cursor", async () => {
		const { nextCursor } = await list("sort=bytes&limit=2");
		const nobody = Buffer.from("bytes desc:NaN:1").toString("base64url");
		for (const query of [
			`cursor=${nextCursor}`,
			`sort=durationSeconds&cursor=${nextCursor}`,
			`sort=bytes&order=asc&cursor=${nextCursor}`,
			`sort=bytes&cursor=${nobody}`,
			"sort=bytes&cursor=aWQ6MQ",
		]) {
			const { status, body } = await api().call("GET", `/v1/recordings?${query}`);
			expect([status, body.errors[0].path], query).toEqual([422, "cursor"]);
		}
	});

	test.each([
		"state",
		"verdict",
		"runnerId",
		"createdAfter",
		"createdBefore",
		"sort",
		"order",
	])("an invalid %s is rejected at its name", async (name) => {
		const { status, body } = await api().call("GET", `/v1/recordings?${name}=sideways`);
		expect([status, body.errors.map((fault: { path: string }) => fault.path)]).toEqual([422, [name]]);
	});
});
