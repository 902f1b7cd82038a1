/** Periodic work of several dashboard processes on one PostgreSQL is done by only one of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { pause } from "#test/wait.ts";
import { Claims } from "./claims.ts";
import { type OpenDatabase, openDatabase } from "./open.ts";

/** Long enough for a busy machine to renew it in time. */
const CLAIM_MS = 3_000;

let opened: OpenDatabase;
beforeAll(async () => {
	opened = openDatabase(await createPostgresDatabase());
});
afterAll(() => opened.db.destroy());

const claimsOf = (claimMs = CLAIM_MS) => new Claims(opened.db, claimMs);
const never = new Promise<never>(() => {});

test("one of many processes that begin the same work at once does it, and the next one when its period is over", async () => {
	const processes = Array.from({ length: 8 }, () => claimsOf());
	let done = 0;
	const round = () =>
		Promise.all(
			processes.map((claims) =>
				claims.perform("sweep", 60_000, async () => {
					done += 1;
				}),
			),
		);
	await round();
	await round();
	expect(done).toBe(1);
	// Simulates that the minute has passed.
	await opened.db
		.updateTable("claim")
		.set((claim) => ({ until: claim("until", "-", 60_000) }))
		.where("name", "=", "sweep")
		.execute();
	await round();
	expect(done).toBe(2);
});

test("work that takes longer than a claim stays with its process", async () => {
	const finished = Promise.withResolvers<void>();
	const signals: AbortSignal[] = [];
	const working = claimsOf().perform("long", 1_000, (lost) => {
		signals.push(lost);
		return finished.promise;
	});
	await pause(2 * CLAIM_MS);
	let others = 0;
	await claimsOf().perform("long", 1_000, async () => {
		others += 1;
	});
	expect(others).toBe(0);
	expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
	finished.resolve();
	await working;
});

test("work that fails is tried again after its period, by whoever comes first", async () => {
	const failing = claimsOf().perform("failing", 0, () => Promise.reject(new Error("no")));
	await expect(failing).rejects.toThrow("no");
	let done = 0;
	await claimsOf().perform("failing", 0, async () => {
		done += 1;
	});
	expect(done).toBe(1);
});

test("a process that dies at its work is succeeded when its claim expires, and one that wakes up again is notified", async () => {
	let signal: AbortSignal | undefined;
	void claimsOf().perform("orphan", 1_000, (lost) => {
		signal = lost;
		return never;
	});
	await expect.poll(() => signal).toBeDefined();
	// Simulates a process that was suspended for longer than its claim.
	await opened.db.updateTable("claim").set({ until: 0 }).where("name", "=", "orphan").execute();
	let successor = 0;
	await claimsOf().perform("orphan", 60_000, async () => {
		successor += 1;
	});
	expect(successor).toBe(1);
	await expect.poll(() => signal?.aborted).toBe(true);
});
