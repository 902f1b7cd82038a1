/** Starts of schedules, with a clock that stands still until a test moves it. */
import { randomBytes } from "node:crypto";
import { createJobBodySchema } from "@tapedeck/contract/job.ts";
import { createScheduleBodySchema } from "@tapedeck/contract/schedule.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "#lib/core/context.ts";
import { createSecretBox } from "#lib/core/secret-box.ts";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { createJob } from "./create-job.ts";
import { listJobEvents } from "./list-job-events.ts";
import { reencryptSchedulePasswords } from "./reencrypt-passwords.ts";
import { createSchedule, pauseSchedule, readSchedule, startAfter } from "./schedules.ts";
import { LOOK_MS, startScheduledJobs } from "./start-scheduled-jobs.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const BEGIN = Date.parse("2026-11-21T00:00:00Z");

let t: TestRecordings;
let now = BEGIN;
let ctx: Context;
beforeAll(async () => {
	t = await openTestRecordings();
	ctx = { ...t.as("key"), clock: { now: () => now } };
});
afterAll(() => t.close());

const JOB = { runnerId: 1, displayId: ":99", stopCondition: "interrupt" };
const create = (over: object = {}, job: object = {}) => {
	now = BEGIN;
	return createSchedule(ctx, createScheduleBodySchema.parse({ everySeconds: 60, job: { ...JOB, ...job }, ...over }));
};
/** The schedule after the starts of that time. */
const at = async (id: number, ms: number) => {
	now = BEGIN + ms;
	await startScheduledJobs(ctx);
	return readSchedule(ctx, id);
};
const endJobs = () => t.db.updateTable("job").set({ status: "completed", stopReason: "cancelled" }).execute();
const timeOf = (ms: number) => new Date(BEGIN + ms).toISOString();

test("a start that comes before the next look is returned, and starts nothing yet", async () => {
	const { id } = await create();
	now = BEGIN + 60 * SECOND - LOOK_MS - 1;
	expect(await startScheduledJobs(ctx)).toBeNull();
	now = BEGIN + 60 * SECOND - 300;
	expect(await startScheduledJobs(ctx)).toBe(300);
	expect(await readSchedule(ctx, id)).toMatchObject({ startedJobs: 1, skippedStarts: 0 });
});

test("the first job starts with the schedule, the next one a period later", async () => {
	const { id, ...created } = await create();
	expect(created).toMatchObject({ startedJobs: 1, nextStartAt: timeOf(60 * SECOND), lastJob: { status: "queued" } });
	await endJobs();
	expect(await at(id, 59 * SECOND)).toMatchObject({ startedJobs: 1 });
	const later = await at(id, 61 * SECOND);
	expect(later).toMatchObject({ startedJobs: 2, skippedStarts: 0, nextStartAt: timeOf(120 * SECOND) });
	const { data } = await listJobEvents(ctx, later.lastJob?.id ?? 0, { limit: 10 });
	expect(data).toMatchObject([{ message: `The job was created by schedule ${id}.`, data: { scheduleId: id } }]);
});

test("a start that finds the last job running is skipped and counted", async () => {
	const { id, lastJob } = await create();
	expect(await at(id, 60 * SECOND)).toMatchObject({
		...{ startedJobs: 1, skippedStarts: 1, nextStartAt: timeOf(120 * SECOND), lastJob: { id: lastJob?.id } },
		lastSkip: { at: timeOf(60 * SECOND), reason: `The last job, ${lastJob?.id}, has not ended.` },
	});
	await endJobs();
	expect(await at(id, 120 * SECOND)).toMatchObject({ startedJobs: 2, skippedStarts: 1 });
});

test("a display on which another job records is no reason to skip a start: jobs of a display run beside each other", async () => {
	const { id } = await create();
	await endJobs();
	const other = await createJob(ctx, createJobBodySchema.parse({ ...JOB, name: "Beside" }));
	await t.db.updateTable("job").set({ status: "recording", startedAt: now }).where("id", "=", other.id).execute();
	expect(await at(id, 60 * SECOND)).toMatchObject({ startedJobs: 2, skippedStarts: 0, lastJob: { status: "queued" } });
	await endJobs();
});

test("starts of a downtime are counted, not made up for, and the next regular one follows", async () => {
	const { id } = await create();
	await endJobs();
	const back = await at(id, 10 * 60 * SECOND + 30 * SECOND);
	expect(back).toMatchObject({ startedJobs: 1, skippedStarts: 10, nextStartAt: timeOf(11 * 60 * SECOND) });
	expect(back.lastSkip?.reason).toContain("not running");
	expect(await at(id, 11 * 60 * SECOND)).toMatchObject({ startedJobs: 2, skippedStarts: 10 });
});

test("a clock that is set back by a day delays the next start by a period at most", async () => {
	const { id } = await create();
	await endJobs();
	expect(await at(id, 5 * SECOND - DAY)).toMatchObject({ startedJobs: 1, nextStartAt: timeOf(60 * SECOND - DAY) });
	expect(await at(id, 60 * SECOND - DAY)).toMatchObject({ startedJobs: 2, skippedStarts: 0 });
});

test("no job starts at the end of a schedule or later, nor after it is resumed", async () => {
	const { id } = await create({ endsAt: timeOf(120 * SECOND) });
	await endJobs();
	expect(await at(id, 60 * SECOND)).toMatchObject({ startedJobs: 2, nextStartAt: null, paused: false });
	await endJobs();
	expect(await at(id, 120 * SECOND)).toMatchObject({ startedJobs: 2, skippedStarts: 0 });
	await pauseSchedule(ctx, id, true);
	expect(await pauseSchedule(ctx, id, false)).toMatchObject({ paused: false, nextStartAt: null });
});

test("a paused schedule starts nothing, and continues with its next regular start", async () => {
	const { id } = await create();
	await endJobs();
	expect(await pauseSchedule(ctx, id, true)).toMatchObject({ paused: true, nextStartAt: null });
	expect(await at(id, 90 * SECOND)).toMatchObject({ startedJobs: 1, skippedStarts: 0 });
	expect(await pauseSchedule(ctx, id, false)).toMatchObject({ paused: false, nextStartAt: timeOf(120 * SECOND) });
});

test("a schedule of a removed runner is paused, and says why", async () => {
	const { id } = await create();
	await endJobs();
	await t.db.updateTable("runner").set({ removedAt: 1 }).where("id", "=", 1).execute();
	const paused = await at(id, 60 * SECOND);
	await t.db.updateTable("runner").set({ removedAt: null }).where("id", "=", 1).execute();
	expect(paused).toMatchObject({ paused: true, nextStartAt: null, startedJobs: 1 });
	expect(paused.pausedBecause).toContain("Runner 1 not found.");
});

test("a start that the queue has no room for is skipped with the reason", async () => {
	const { id } = await create();
	await endJobs();
	await create({ everySeconds: 3_600 });
	const full = { ...ctx, quotas: { ...ctx.quotas, queuedJobs: 1 } };
	now = BEGIN + 60 * SECOND;
	await startScheduledJobs(full);
	const { skippedStarts, lastSkip } = await readSchedule(ctx, id);
	expect([skippedStarts, lastSkip?.reason]).toEqual([1, expect.stringContaining("The queue for runner 1 is full")]);
});

test("a grid's password reaches each job encrypted, and no response has it", async () => {
	const stopConditionConfig = { gridUrl: "http://grid:4444", gridUsername: "me", gridPassword: "of the grid" };
	const schedule = await create({}, { stopCondition: "selenium_idle", stopConditionConfig });
	expect(JSON.stringify(schedule)).not.toContain("of the grid");
	await endJobs();
	const { lastJob } = await at(schedule.id, 60 * SECOND);
	const row = await t.db
		.selectFrom("job")
		.selectAll()
		.where("id", "=", lastJob?.id ?? 0)
		.executeTakeFirstOrThrow();
	expect(ctx.secrets.open(row.gridPasswordSealed ?? "")).toBe("of the grid");
	const stored = await t.db.selectFrom("schedule").selectAll().where("id", "=", schedule.id).executeTakeFirstOrThrow();
	expect(stored.job).not.toContain("of the grid");
});

test("a schedule's password survives a new secret key, and without the old key the schedule is paused", async () => {
	const stopConditionConfig = { gridUrl: "http://grid:4444", gridUsername: "me", gridPassword: "of the grid" };
	const { id } = await create({}, { stopCondition: "selenium_idle", stopConditionConfig });
	await endJobs();
	const [old, current, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
	const sealed = { gridPasswordSealed: createSecretBox(old).seal("of the grid") };
	await t.db.updateTable("schedule").set(sealed).where("id", "=", id).execute();
	await reencryptSchedulePasswords({ db: t.db, secrets: createSecretBox(current, [old]) });
	const row = await t.db.selectFrom("schedule").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
	expect(createSecretBox(current).open(row.gridPasswordSealed ?? "")).toBe("of the grid");
	now = BEGIN + 60 * SECOND;
	await startScheduledJobs({ ...ctx, secrets: createSecretBox(other) });
	expect((await readSchedule(ctx, id)).pausedBecause).toContain("a secret key that is missing");
});

test.each([
	[-1, 0],
	[0, 10],
	[9_999, 10],
	[10_000, 20],
	[10_001, 20],
	[-10_000, 0],
])("of a schedule every 10 s, the start after %d ms is at %d s", (ms, seconds) => {
	expect(startAfter({ createdAt: 0, everySeconds: 10, endsAt: null }, ms)).toBe(seconds * SECOND);
});
