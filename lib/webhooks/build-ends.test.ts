/** The end of builds that nobody announces, with a clock that the test sets. */
import { expect, onTestFinished, test } from "vitest";
import { openTestRecordings } from "#test/recordings.ts";
import { finishQuietBuilds, QUIET_MS } from "./build-ends.ts";
import { createWebhook } from "./webhooks.ts";

const DAY_MS = 86_400_000;

/** A webhook for ends of builds, and a function that adds a job of build 42 which ends at once. */
async function scene() {
	const t = await openTestRecordings();
	onTestFinished(() => t.close());
	const ctx = t.as("key");
	await createWebhook(ctx, () => true, {
		...{ url: "http://a.test/", events: ["build.finished"], q: null },
		...{ kind: "standard", onlyNew: false, botToken: null },
	});
	const addEndedJob = async () => {
		const id = await t.addJob("queued");
		const set = (values: object) => ctx.db.updateTable("job").set(values).where("id", "=", id).execute();
		await set({ createdAt: ctx.clock.now(), labels: JSON.stringify({ build: "42" }) });
		await set({ status: "completed", startedAt: ctx.clock.now(), endedAt: ctx.clock.now() });
	};
	const ends = async () => {
		await finishQuietBuilds(ctx);
		return (await ctx.db.selectFrom("webhookEvent").select("subject").execute()).map(({ subject }) => subject);
	};
	return { t, ctx, addEndedJob, ends };
}

test("a build without an announcement ends once, when nothing has changed for the quiet time", async () => {
	const { t, addEndedJob, ends } = await scene();
	await addEndedJob();
	t.advance(QUIET_MS - 1_000);
	expect(await ends()).toEqual([]);
	await addEndedJob();
	t.advance(QUIET_MS - 1_000);
	expect(await ends()).toEqual([]);
	t.advance(2_000);
	expect(await ends()).toEqual(["42"]);
	expect(await ends()).toEqual(["42"]);
});

test("a build whose only job ran for two days ends after its quiet time, and one that ended before yesterday without a word", async () => {
	const { t, ctx, addEndedJob, ends } = await scene();
	t.jump(-2 * DAY_MS);
	await addEndedJob();
	t.jump(2 * DAY_MS);
	expect(await ends()).toEqual([]);
	await ctx.db.updateTable("job").set({ endedAt: ctx.clock.now() }).execute();
	expect(await ends()).toEqual([]);
	t.advance(QUIET_MS + 1_000);
	expect(await ends()).toEqual(["42"]);
});

test.each([
	["a day ahead from its first job on", DAY_MS, 0],
	["set a day ahead while its job ran", 0, DAY_MS],
])("a build ends after its quiet time although the clock was %s, and is right again", async (_what, before, during) => {
	const { t, ctx, addEndedJob, ends } = await scene();
	t.jump(before);
	await addEndedJob();
	if (during > 0) {
		t.jump(during);
		await ctx.db.updateTable("job").set({ endedAt: ctx.clock.now() }).execute();
	}
	t.jump(-before - during);
	expect(await ends()).toEqual([]);
	t.advance(QUIET_MS - 1_000);
	expect(await ends()).toEqual([]);
	t.advance(2_000);
	expect(await ends()).toEqual(["42"]);
});
