import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Log } from "#lib/core/context.ts";
import { type OpenDatabase, openDatabase } from "#lib/db/open.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { until } from "#test/wait.ts";
import { DatabaseClock } from "./database-clock.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

let opened: OpenDatabase;
beforeAll(async () => {
	opened = openDatabase(await createPostgresDatabase());
});
afterAll(() => opened.db.destroy());

/** Opens a clock on a machine that is `ms` ahead of the database. @returns the error of the clock. */
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

test("a measurement that the network delayed does not move the clock, nor if the first ones were late as well", async () => {
	let lateMs = 100;
	let delayMs = 0;
	let answers = 0;
	const db = opened.db.withPlugin({
		transformQuery: ({ node }) => {
			const until = performance.now() + lateMs;
			while (performance.now() < until);
			return node;
		},
		async transformResult({ result }) {
			await sleep(delayMs);
			answers += 1;
			return result;
		},
	});
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	onTestFinished(() => void vi.useRealTimers());
	const stopping = new AbortController();
	onTestFinished(() => stopping.abort());
	const clock = await DatabaseClock.open(db, silent, stopping.signal);
	const before = clock.now() - performance.now();
	answers = 0;
	[lateMs, delayMs] = [0, 1_500];
	vi.advanceTimersByTime(30_000);
	await until(() => answers === 3, "it is measured again", 30_000);
	// Lets the code after the last answer run.
	await sleep(0);
	expect(Math.abs(clock.now() - performance.now() - before)).toBeLessThan(100);
});
