/** Retention and a clock that jumps ahead. */

import type { AuditAction } from "@tapedeck/contract/audit.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { deleteRecordings } from "../deletion.ts";
import { confirmClock, watchClock } from "./clock-watch.ts";
import { getRetention, setRetention, sweepRetention, sweepTrash } from "./retention.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const POLICY = { maxAgeDays: 30, maxDiskPercent: null, maxBytes: null };

let t: TestRecordings;
beforeEach(async () => {
	t = await openTestRecordings();
	await setRetention(t.as("owner"), POLICY);
});
afterEach(() => t.close());

let made = 0;
async function add(ageDays: number, organizationId = 1): Promise<number> {
	made += 1;
	const createdAt = t.as("owner").clock.now() - ageDays * DAY;
	const row = {
		...{ organizationId, jobId: null, name: `r${made}`, state: "ready" as const, contentType: "video/mp4" },
		...{ uploadId: made.toString(16).padStart(32, "0"), durationSeconds: 1, bytes: 1_000, width: null, height: null },
		...{ pinned: 0, createdAt, updatedAt: createdAt },
	};
	const { id } = await t.db.insertInto("recording").values(row).returning("id").executeTakeFirstOrThrow();
	return id;
}
const stored = async () => (await t.recordings()).filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
const entries = async (action: AuditAction) =>
	t.db.selectFrom("auditEntry").select(["organizationId", "detail"]).where("action", "=", action).execute();
const sweep = async () => {
	const deleted = await sweepRetention(t.as("runner"));
	return deleted + (await sweepTrash(t.as("runner")));
};

test("after a jump of 40 days nothing is deleted by age and nothing leaves the trash, until the clock is back", async () => {
	const ids = [await add(1), await add(10), await add(29)];
	const trashed = await add(2);
	await deleteRecordings(t.as("owner"), [trashed], "request");
	const old = await add(31);
	expect(await sweep()).toBe(1);
	t.jump(40 * DAY);
	for (let sweeps = 0; sweeps < 3; sweeps += 1) expect(await sweep()).toBe(0);
	expect(await stored()).toEqual(ids);
	const { clockJump, overdueRecordings } = await getRetention(t.as("viewer"));
	expect(overdueRecordings).toBe(0);
	expect(Date.parse(clockJump?.now ?? "") - Date.parse(clockJump?.lastSeenAt ?? "")).toBeGreaterThan(39 * DAY);
	expect(t.logged.filter((line) => line.includes("clock has jumped ahead"))).toHaveLength(1);
	t.jump(-40 * DAY);
	expect(await sweep()).toBe(0);
	expect(await getRetention(t.as("viewer"))).toMatchObject({ clockJump: null });
	expect(await stored()).toEqual(ids);
	const purged = (await t.recordings()).filter(({ deletedAt, purgeAt }) => deletedAt !== null && purgeAt === null);
	expect(purged).toEqual([]);
	t.advance(DAY);
	expect(await sweep()).toBe(3);
	expect((await t.recordings()).filter(({ purgeAt }) => purgeAt === null).map(({ id }) => id)).toEqual(
		expect.arrayContaining([trashed, old]),
	);
});

test("an admin confirms the clock for one organization, and the audit log says so", async () => {
	await add(1);
	const theirs = await add(1, 2);
	await sweep();
	t.jump(40 * DAY);
	expect(await sweep()).toBe(0);
	await confirmClock(t.as("owner"));
	await confirmClock(t.as("owner"));
	expect(await entries("retention.clock_confirmed")).toMatchObject([{ organizationId: 1 }]);
	expect(await getRetention(t.as("owner"))).toMatchObject({ clockJump: null });
	expect(await sweep()).toBe(1);
	expect(await stored()).toEqual([theirs]);
	// The next jump is another one.
	t.jump(40 * DAY);
	await add(41);
	expect(await sweep()).toBe(0);
});

test("limits on bytes apply while the clock is in doubt", async () => {
	for (let age = 1; age <= 4; age += 1) await add(age);
	await sweep();
	t.jump(40 * DAY);
	await setRetention(t.as("owner"), { ...POLICY, maxBytes: 3_000 });
	expect(await sweepRetention(t.as("runner"))).toBe(1);
	expect(await stored()).toHaveLength(3);
});

test("time that passes is no jump, whether something runs meanwhile or not", async () => {
	await add(1);
	await sweep();
	t.advance(40 * DAY);
	expect(await sweepRetention(t.as("runner"))).toBe(1);
});

test("less than an hour is no jump, and more than an hour is, however long nothing ran before", async () => {
	await sweep();
	t.advance(3 * DAY);
	t.jump(50 * 60_000);
	expect((await watchClock(t.as("runner"))).doubtedBy.size).toBe(0);
	t.advance(3 * DAY);
	t.jump(70 * 60_000);
	expect([...(await watchClock(t.as("runner"))).doubtedBy]).toEqual([1, 2]);
});

/** Makes the stored boot an earlier one, so that the machine seems to have been started since. */
const reboot = () => t.db.updateTable("clockWatch").set({ bootId: "an earlier boot" }).execute();

/** Watches as a dashboard process that has just been started. */
const asNewProcess = () => {
	const ctx = t.as("runner");
	return { ...ctx, clock: { ...ctx.clock } };
};

test("a clock that was behind returns to the highest time, and retention continues", async () => {
	const id = await add(29);
	await sweep();
	t.jump(-60 * DAY);
	expect(await sweep()).toBe(0);
	t.advance(2 * DAY);
	expect(await sweep()).toBe(0);
	t.jump(60 * DAY);
	expect(await sweep()).toBe(1);
	expect(await getRetention(t.as("viewer"))).toMatchObject({ clockJump: null });
	expect(await stored()).not.toContain(id);
	expect(t.logged.filter((line) => line.includes("jumped ahead"))).toEqual([]);
	// A jump beyond the highest time is still one.
	t.jump(-60 * DAY);
	await watchClock(t.as("runner"));
	t.jump(100 * DAY);
	expect((await watchClock(t.as("runner"))).doubtedBy.size).toBe(2);
	t.jump(-40 * DAY);
	expect((await watchClock(t.as("runner"))).doubtedBy.size).toBe(0);
});

test("a machine that starts with a clock that is behind is believed when the clock is set right, however long that takes", async () => {
	await watchClock(t.as("runner"));
	t.advance(5 * HOUR);
	await reboot();
	t.jump(-90 * DAY);
	const ctx = asNewProcess();
	expect((await watchClock(ctx)).doubtedBy.size).toBe(0);
	t.advance(20 * DAY);
	expect((await watchClock(ctx)).doubtedBy.size).toBe(0);
	t.jump(90 * DAY);
	expect((await watchClock(ctx)).doubtedBy.size).toBe(0);
	t.advance(HOUR);
	t.jump(2 * HOUR);
	expect((await watchClock(ctx)).doubtedBy.size).toBe(2);
});

test("a machine may have been off for a week, but not for longer without a question", async () => {
	await sweep();
	t.advance(6 * DAY);
	await reboot();
	expect((await watchClock(t.as("runner"))).doubtedBy.size).toBe(0);
	t.advance(8 * DAY);
	await reboot();
	const ctx = asNewProcess();
	expect((await watchClock(ctx)).doubtedBy.size).toBe(2);
	// Starting the machine again is no confirmation.
	await t.db
		.updateTable("clockWatch")
		.set({ bootId: "another boot", seenAt: t.as("owner").clock.now() - DAY })
		.execute();
	expect((await watchClock(ctx)).doubtedBy.size).toBe(2);
	t.jump(-HOUR);
	expect((await watchClock(ctx)).doubtedBy.size).toBe(0);
});

test("no sweep deletes more than a tenth of an organization's recordings without a word before it", async () => {
	for (let count = 0; count < 100; count += 1) await add(1);
	for (let count = 0; count < 10; count += 1) await add(31);
	expect(await sweepRetention(t.as("runner"))).toBe(10);
	expect(await entries("retention.many_deleted")).toEqual([]);
	for (let count = 0; count < 30; count += 1) await add(31);
	expect(await sweepRetention(t.as("runner"))).toBe(30);
	const [entry, ...more] = await entries("retention.many_deleted");
	expect(more).toEqual([]);
	expect(JSON.parse(entry?.detail ?? "")).toEqual({ reason: "age", deleted: "more than 13", of: 130 });
	expect(t.logged.filter((line) => line.includes("large share"))).toHaveLength(1);
	const order = await t.db.selectFrom("auditEntry").select(["id", "action"]).orderBy("id", "desc").limit(31).execute();
	expect(order.at(-1)?.action).toBe("retention.many_deleted");
});
