/** Lists over more jobs than a zone has, compared with filtering all of them. */
import { type Job, MAX_COUNTED_JOBS } from "@tapedeck/contract/job.ts";
import { JOB_STATUSES, type JobStatus } from "@tapedeck/contract/job-status.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { JOBS_PER_ZONE, noteJobs } from "#lib/db/job-zones.ts";
import { NAMES_FOR_SHORT } from "#lib/search/plan.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

const JOBS = JOBS_PER_ZONE * 2 + 500;
/** Later ones have not been noted yet. */
const NOTED = JOBS - 200;
const BEGIN = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;
const STATUSES: JobStatus[] = ["completed", "failed", "cancelled"];
const CONDITIONS = ["duration", "interrupt", "selenium_idle"] as const;

/** The clock was set back by an hour for some jobs, in the middle of a zone and in the newest one. */
const createdAt = (id: number) => BEGIN + id * MINUTE - (id % 1000 === 7 || id > JOBS - 20 ? 60 * MINUTE : 0);
const NAMES: Record<number, string> = { 77: 'Äpfel 50%_"off"', 78: "best-12345", 79: "Größe test-12345" };
const rowOf = (id: number) => ({
	organizationId: 1,
	runnerId: id % 997 === 0 ? 2 : 1,
	type: "recording" as const,
	displayId: ":99",
	name: NAMES[id] ?? `${id % 2 === 0 ? "Check" : "login"} number ${id}`,
	stopCondition: CONDITIONS[id % 3] ?? "duration",
	stopConditionConfig: id % 3 === 0 ? '{"durationSeconds":5}' : id % 3 === 1 ? "{}" : '{"gridUrl":"http://grid:4444"}',
	status: id > JOBS - 5 ? ("queued" as const) : (STATUSES[id % 7 === 0 ? 1 : id % 101 === 0 ? 2 : 0] ?? "completed"),
	outcome: id % 3 === 0 ? ("passed" as const) : id % 50 === 1 ? ("error" as const) : null,
	createdAt: createdAt(id),
	key: `key-${id}`,
});
type Row = ReturnType<typeof rowOf> & { id: number };
const ROWS: Row[] = Array.from({ length: JOBS }, (_, index) => ({ id: index + 1, ...rowOf(index + 1) }));

onEachDatabase((api) => {
	beforeAll(async () => {
		const { db } = api().app;
		for (const id of [1, 2]) {
			await sql`insert into runner ("organizationId", name, "signInName", version, displays, "createdAt")
				values (1, ${`machine ${id}`}, ${`machine ${id}`}, '1', '[]', 1)`.execute(db);
		}
		for (let from = 0; from < JOBS; from += 500) {
			const rows = ROWS.slice(from, from + 500).map(({ id: _, ...row }) => row);
			await db
				.insertInto("job")
				.values(rows as never)
				.execute();
		}
		await noteJobs(db, JOBS_PER_ZONE - 10);
		await noteJobs(db, NOTED);
	});

	const inPages = async (query: string, limit = 100) => {
		const ids: number[] = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
			const answer = await api().call("GET", `/v1/jobs?${query}&limit=${limit}${from}`);
			expect(answer.status, JSON.stringify(answer.body)).toBe(200);
			ids.push(...answer.body.data.map(({ id }: Job) => id));
			cursor = answer.body.nextCursor;
		}
		return ids;
	};
	const at = (id: number) => new Date(BEGIN + id * MINUTE).toISOString();
	const wanted = (matches: (row: Row) => boolean) =>
		ROWS.filter(matches)
			.map(({ id }) => id)
			.reverse();

	test.each<[string, (row: Row) => boolean]>([
		["status=cancelled", (row) => row.status === "cancelled"],
		["status=cancelled&status=queued&status=cancelled", (row) => ["cancelled", "queued"].includes(row.status)],
		["runnerId=2", (row) => row.runnerId === 2],
		["runnerId=2&status=queued", () => false],
		["runnerId=2&stopCondition=interrupt", (row) => row.runnerId === 2 && row.stopCondition === "interrupt"],
		["stopCondition=interrupt&status=failed", (row) => row.stopCondition === "interrupt" && row.status === "failed"],
		[`createdBefore=${at(50)}`, (row) => row.createdAt < BEGIN + 50 * MINUTE],
		[`createdAfter=${at(JOBS - 90)}`, (row) => row.createdAt > BEGIN + (JOBS - 90) * MINUTE],
		[
			`createdAfter=${at(4000)}&createdBefore=${at(4200)}&status=failed`,
			(row) =>
				row.createdAt > BEGIN + 4000 * MINUTE && row.createdAt < BEGIN + 4200 * MINUTE && row.status === "failed",
		],
		[`createdBefore=${at(300)}&q=check`, (row) => row.createdAt < BEGIN + 300 * MINUTE && row.name.startsWith("Check")],
		["q=%22NUMBER 77%22", (row) => row.name.includes("number 77")],
		["q=77 NUMBER", (row) => row.name.includes("number") && row.name.includes("77")],
		["q=%22number 123%22&status=failed", (row) => row.name.includes("number 123") && row.status === "failed"],
		["q=number 123 status:failed", (row) => /number.*123/.test(row.name) && row.status === "failed"],
		["q=login&runnerId=2", (row) => row.name.includes("login") && row.runnerId === 2],
		["q=%2250%25_%5C%22o%22", (row) => row.id === 77],
		["q=%22-12345%22", (row) => row.id === 78 || row.id === 79],
		["q=TEST-12345", (row) => row.id === 79],
		["q=Größe test-12345", (row) => row.id === 79],
		["q=äpfel", (row) => row.id === 77],
		["q=GRÖße", (row) => row.id === 79],
		["q=does-not-occur", () => false],
		["q=label:nothing", () => false],
		["q=-outcome:passed -status:failed", (row) => row.outcome !== "passed" && row.status !== "failed"],
		["q=%22 OR name:%22", () => false],
		["q=99", (row) => row.name.includes("99") && row.id > JOBS - NAMES_FOR_SHORT],
	])("%s: pages have every matching job once, newest or oldest first", async (query, matches) => {
		expect(await inPages(query)).toEqual(wanted(matches));
		// Words that are too short for the index are looked for in the first jobs of the list's order alone.
		if (query !== "q=99") expect(await inPages(`${query}&order=asc`)).toEqual(wanted(matches).reverse());
	});

	test("the oldest first: pages have every job once, and a cursor of the other order is refused", async () => {
		expect(await inPages("order=asc")).toEqual(ROWS.map(({ id }) => id));
		const { body } = await api().call("GET", "/v1/jobs?order=asc&limit=1");
		const other = await api().call("GET", `/v1/jobs?cursor=${body.nextCursor}`);
		expect([other.status, other.body.errors[0].path]).toEqual([422, "cursor"]);
	});

	test.each<[string, (row: Row) => boolean]>([
		["", () => true],
		["runnerId=2", (row) => row.runnerId === 2],
		["stopCondition=interrupt", (row) => row.stopCondition === "interrupt"],
		["q=status:failed", (row) => row.status === "failed"],
		["q=runner:nobody", () => false],
		[`createdBefore=${at(300)}`, (row) => row.createdAt < BEGIN + 300 * MINUTE],
		[
			`createdAfter=${at(4000)}&createdBefore=${at(4200)}`,
			(row) => row.createdAt > BEGIN + 4000 * MINUTE && row.createdAt < BEGIN + 4200 * MINUTE,
		],
		[`createdAfter=${at(JOBS - 90)}`, (row) => row.createdAt > BEGIN + (JOBS - 90) * MINUTE],
	])("counts of %s: as many as match, at most 1,000 of each status", async (query, matches) => {
		const answer = await api().call("GET", `/v1/jobs/counts?${query}`);
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		const expected = JOB_STATUSES.map((status) => {
			const count = ROWS.filter((row) => row.status === status && matches(row)).length;
			return [status, Math.min(count, MAX_COUNTED_JOBS)];
		});
		expect(answer.body.byStatus).toEqual(Object.fromEntries(expected));
	});

	test("jobs that would have to be examined one by one are not counted", async () => {
		for (const q of ["login", "label:build=1", "-status:failed"]) {
			expect((await api().call("GET", `/v1/jobs/counts?q=${q}`)).body).toEqual({ byStatus: null, byOutcome: null });
		}
	});

	test("jobs are counted by outcome, at most 1,000 of each, whichever outcomes are asked for, and with no other filter", async () => {
		const count = (outcome: string | null) =>
			Math.min(ROWS.filter((row) => row.outcome === outcome).length, MAX_COUNTED_JOBS);
		const expected = { passed: count("passed"), failed: 0, error: count("error"), skipped: 0 };
		expect(expected.passed).toBe(MAX_COUNTED_JOBS);
		for (const query of ["", "q=outcome:error", "q=outcome:error+outcome:failed"]) {
			expect((await api().call("GET", `/v1/jobs/counts?${query}`)).body.byOutcome).toEqual(expected);
		}
		for (const query of ["runnerId=2", `createdAfter=${at(300)}`, "q=-outcome:error", "q=outcome:error+login"]) {
			expect((await api().call("GET", `/v1/jobs/counts?${query}`)).body.byOutcome).toBeNull();
		}
	});

	test("a page that ends with the last job has no cursor", async () => {
		const matching = wanted((row) => row.status === "queued");
		expect(await inPages("status=queued", matching.length)).toEqual(matching);
		const { body } = await api().call("GET", `/v1/jobs?status=queued&limit=${matching.length}`);
		expect(body.nextCursor).toBeNull();
	});

	test("limit=100 on a last page that has fewer jobs lists them all, without a cursor", async () => {
		const all = wanted((row) => row.status === "cancelled");
		const { body: first } = await api().call("GET", "/v1/jobs?status=cancelled&limit=10");
		const { body: last } = await api().call("GET", `/v1/jobs?status=cancelled&limit=100&cursor=${first.nextCursor}`);
		expect(last.data.length).toBeLessThan(100);
		expect([...first.data, ...last.data].map(({ id }: Job) => id)).toEqual(all);
		expect(last.nextCursor).toBeNull();
	});

	test("a cursor continues a list with other filters below its job", async () => {
		const { body } = await api().call("GET", "/v1/jobs?status=failed&limit=1");
		const last = body.data[0].id;
		const { body: next } = await api().call("GET", `/v1/jobs?q=number&limit=3&cursor=${body.nextCursor}`);
		expect(next.data.map(({ id }: Job) => id)).toEqual([last - 1, last - 2, last - 3]);
	});

	test("a search of ten kilobytes and a cursor of a list of recordings are refused at their names", async () => {
		const recordings = Buffer.from("createdAt desc:5:5").toString("base64url");
		for (const [query, name] of [
			[`q=${"x".repeat(10_000)}`, "q"],
			[`cursor=${recordings}`, "cursor"],
		]) {
			const { status, body } = await api().call("GET", `/v1/jobs?${query}`);
			expect([status, body.errors[0].path]).toEqual([422, name]);
		}
	});

	test("a name is found from the moment the job exists, and a name that has changed under its new one", async () => {
		const { db } = api().app;
		await db.updateTable("job").set({ name: "Quixotic" }).where("id", "=", 3).execute();
		expect(await inPages("q=uixoti")).toEqual([3]);
		await db
			.updateTable("job")
			.set({ name: ROWS[2]?.name ?? "" })
			.where("id", "=", 3)
			.execute();
		expect(await inPages("q=uixoti")).toEqual([]);
	});
});
