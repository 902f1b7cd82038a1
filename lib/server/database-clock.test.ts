import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Log } from "#lib/core/context.ts";
import { type OpenDatabase, openDatabase } from "#lib/db/open.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { DatabaseClock } from "./database-clock.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

let opened: OpenDatabase;
beforeAll(async () => {
	opened = openDatabase(await createPostgresDatabase());
});
afterAll(() => opened.db.destroy());

/** Opens a clock on a machine that is so far ahead of the database's. @returns what it says against the true time. */
async function openAhead(ms: number): Promise<number> {
	const stopping = new AbortController();
	onTestFinished(() => stopping.abort());
	const trueNow = Date.now;
	vi.spyOn(Date, "now").mockImplementation(() => trueNow() + ms);
	onTestFinished(() => {
		vi.restoreAllMocks();
	});
	const clock = await DatabaseClock.open(opened.db, silent, stopping.signal);
	return clock.now() - trueNow();
}

test("processes on machines with different clocks see the same time", async () => {
	for (const ms of [0, 20_000, -20_000]) {
		expect(Math.abs(await openAhead(ms))).toBeLessThan(5_000);
		vi.restoreAllMocks();
	}
});

test("clocks more than a minute apart are refused with the remedy", async () => {
	await expect(openAhead(90_000)).rejects.toThrow(/clock is \d+ s ahead of the database's\. Set both by NTP/);
	vi.restoreAllMocks();
	await expect(openAhead(-90_000)).rejects.toThrow(/clock is \d+ s behind the database's/);
});
