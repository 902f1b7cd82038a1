import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./open.ts";

const READS = 100;

test("the event loop turns between the queries of callers that have waited for the same transaction", async () => {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-turns-"));
	const { db } = openDatabase(join(folder, "turns.db"));
	onTestFinished(async () => {
		await db.destroy();
		await rm(folder, { recursive: true });
	});
	// Each takes about a millisecond, and all together many times the length of a slice.
	const count = sql`select (with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000) select count(*) from n)`;
	const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const transaction = db.transaction().execute(async () => {
		begun.resolve();
		await ended.promise;
	});
	await begun.promise;
	let answered = 0;
	let answeredAtTurn: number | null = null;
	const reads = Array.from({ length: READS }, async () => {
		await count.execute(db);
		if (answered === 0) setImmediate(() => (answeredAtTurn = answered));
		answered += 1;
	});
	ended.resolve();
	await Promise.all([transaction, ...reads]);
	expect(answered).toBe(READS);
	expect(answeredAtTurn).not.toBeNull();
	expect(answeredAtTurn).toBeLessThan(READS / 2);
});
