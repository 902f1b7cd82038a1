import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pause } from "#test/wait.ts";
import { isSlowRead, sqliteFault } from "./database-errors.ts";
import { FairReads } from "./fair-reads.ts";
import { SqliteReaderDialect } from "./sqlite-reader.ts";

let dir: string;
let file: string;
let writer: DatabaseSync;
const readers: FairReads<unknown>[] = [];

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "tapedeck-reader-"));
	file = join(dir, "test.db");
	writer = new DatabaseSync(file);
	writer.exec("pragma journal_mode = wal; create table item (id integer primary key, name text)");
});
afterAll(async () => {
	for (const reader of readers) await reader.destroy();
	writer.close();
	await rm(dir, { recursive: true, force: true });
});

function open(timeoutMs?: number): Kysely<unknown> {
	const reads = new FairReads<unknown>(new SqliteReaderDialect(file, timeoutMs), {
		all: 2,
		organization: 2,
		caller: 2,
	});
	readers.push(reads);
	return reads.of({ organizationId: 1, caller: "test" });
}

/** Counts to `steps` without reading the file. */
const count = (steps: number) =>
	sql<{
		i: number;
	}>`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${steps}) select max(i) as i from n`;

test("a reader sees every write that was committed before its statement", async () => {
	const reader = open();
	for (let id = 1; id <= 50; id += 1) {
		writer.prepare("insert into item values (?, ?)").run(id, `item ${id}`);
		const { rows } = await sql<{ name: string }>`select name from item where id = ${id}`.execute(reader);
		expect(rows).toEqual([{ name: `item ${id}` }]);
	}
});

test("the event loop goes on while a reader counts to millions", async () => {
	const reader = open(60_000);
	await count(1).execute(reader);
	let isCounted = false;
	const counted = count(3_000_000)
		.execute(reader)
		.finally(() => {
			isCounted = true;
		});
	// Each iteration takes a turn of a timer, which does not run while the loop is blocked. Their number depends on other
	// load of the machine.
	let turns = 0;
	for (; !isCounted; turns += 1) await pause(1);
	expect(turns).toBeGreaterThan(3);
	expect((await counted).rows).toEqual([{ i: 3_000_000 }]);
});

test("a reader cannot write", async () => {
	const error = await sql`insert into item values (1000, 'x')`.execute(open()).catch((error) => error);
	expect(sqliteFault(error)).toBe("read_only");
});

test("a statement that takes too long is given up, and readers answer again", async () => {
	const reader = open(1_000);
	await expect
		.poll(
			() =>
				count(1)
					.execute(reader)
					.then(
						() => true,
						() => false,
					),
			{ timeout: 30_000 },
		)
		.toBe(true);
	const slow = await Promise.all(
		[1, 2].map(() =>
			count(20_000_000)
				.execute(reader)
				.catch((error) => error),
		),
	);
	expect(slow.map(isSlowRead)).toEqual([true, true]);
	const again = open();
	expect((await count(5).execute(again)).rows).toEqual([{ i: 5 }]);
	await expect
		.poll(
			async () =>
				(
					await count(5)
						.execute(reader)
						.catch(() => null)
				)?.rows,
			{ timeout: 30_000 },
		)
		.toEqual([{ i: 5 }]);
});

test("twenty reads at once are all answered, and an error concerns only its own statement", async () => {
	const reader = open();
	const reads = Array.from({ length: 20 }, (_, at) =>
		at === 7
			? sql`select * from nowhere`.execute(reader).catch((error: Error) => error.message)
			: count(at + 1).execute(reader),
	);
	const answers = await Promise.all(reads);
	expect(answers[7]).toMatch(/no such table/);
	answers.forEach((answer, at) => {
		if (at !== 7) expect(answer).toMatchObject({ rows: [{ i: at + 1 }] });
	});
});
