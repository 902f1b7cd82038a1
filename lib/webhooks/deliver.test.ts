/** Deliveries that fail, wait and follow each other, with a clock that the test sets. */
import { expect, onTestFinished, test } from "vitest";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { openTestRecordings } from "#test/recordings.ts";
import { until } from "#test/wait.ts";
import { nextAttemptAt, RETRY_AFTER_MS, webhookDelivery } from "./deliver.ts";
import type { Sent } from "./send.ts";
import { createWebhook } from "./webhooks.ts";

const HOUR = 3_600_000;

/** A webhook whose receiver answers as `answer` says, and the deliverer at work. */
async function scene(answer: (message: { body: string; at: number; attempt: number }) => Partial<Sent>) {
	const t = await openTestRecordings();
	const ctx: RecordingContext = t.as("key");
	const tried: string[] = [];
	const delivery = webhookDelivery(async ({ body: sentBody, at }) => {
		const body = String(sentBody);
		tried.push(body);
		const attempt = tried.filter((each) => each === body).length;
		return {
			...{ status: 200, error: null, answer: "", retryAfterMs: 0, durationMs: 1 },
			...answer({ body, at, attempt }),
		};
	});
	const stop = new AbortController();
	const running = delivery.run(ctx, stop.signal);
	onTestFinished(async () => {
		stop.abort();
		await running;
		await t.close();
	});
	const { id: webhookId } = await createWebhook(ctx, () => true, {
		url: "http://a.test/",
		events: ["job.ended"],
		q: null,
		kind: "standard",
		onlyNew: false,
		botToken: null,
	});
	const add = async (orderKey: string, ...bodies: string[]) => {
		const now = ctx.clock.now();
		const messages = bodies.map((body) => ({ body, messageId: body, type: "job.ended", orderKey }));
		await ctx.db
			.insertInto("webhookDelivery")
			.values(messages.map((one) => ({ ...one, organizationId: 1, webhookId, nextAt: now, createdAt: now })))
			.execute();
		delivery.wake();
	};
	const rows = () => ctx.db.selectFrom("webhookDelivery").selectAll().orderBy("id").execute();
	const settled = (state: string, count = 1) =>
		until(async () => (await rows()).filter((row) => row.state === state).length >= count, `${count} are ${state}`);
	return { ctx, t, tried, add, rows, settled, delivery };
}

const refused = { status: 500, error: "The receiver answered 500." };

test("deliveries of one job follow each other, and wait for one that fails; those of other jobs do not", async () => {
	const s = await scene(({ body, attempt }) => (body === "a1" && attempt === 1 ? refused : {}));
	await s.add("job 1", "a1", "a2", "a3");
	await s.add("job 2", "b1", "b2");
	await s.settled("delivered", 2);
	expect(s.tried.toSorted()).toEqual(["a1", "b1", "b2"]);
	s.t.advance(6_000);
	s.delivery.wake();
	await s.settled("delivered", 5);
	expect(s.tried.filter((body) => body.startsWith("a"))).toEqual(["a1", "a1", "a2", "a3"]);
});

test("a delivery fails after its tenth attempt, 75 hours after the first, and what waits for it follows", async () => {
	const s = await scene(({ body }) => (body === "a1" ? refused : {}));
	const beganAt = s.ctx.clock.now();
	await s.add("job 1", "a1", "a2");
	for (let attempts = 1; attempts < 10; attempts += 1) {
		const row = await until(
			async () => (await s.rows()).find((row) => row.attempts === attempts),
			`attempt ${attempts}`,
		);
		expect(row).toMatchObject({ state: "waiting", status: 500, error: refused.error });
		s.t.advance((row.nextAt ?? 0) - s.ctx.clock.now() + 1);
		s.delivery.wake();
	}
	await s.settled("delivered");
	expect(await s.rows()).toMatchObject([
		{ state: "failed", attempts: 10, nextAt: null },
		{ state: "delivered", attempts: 1 },
	]);
	const hours = (s.ctx.clock.now() - beganAt) / HOUR;
	expect(hours).toBeGreaterThan(75);
	expect(hours).toBeLessThan(75 * 1.1 + 1);
});

test("a retry that was set while the clock was a day ahead comes in time after the clock is right again", async () => {
	const s = await scene(({ body, attempt }) => (body === "a1" && attempt === 1 ? refused : {}));
	s.t.advance(24 * HOUR);
	await s.add("job 1", "a1", "a2");
	await until(async () => (await s.rows())[0]?.attempts === 1, "the first attempt");
	s.t.advance(-24 * HOUR);
	s.delivery.wake();
	await until(
		async () => ((await s.rows())[0]?.nextAt ?? Infinity) < s.ctx.clock.now() + 6_000,
		"the retry is due in 6 s",
	);
	s.t.advance(6_000);
	s.delivery.wake();
	await s.settled("delivered", 2);
	expect(s.tried).toEqual(["a1", "a1", "a2"]);
});

test("an event that a dashboard whose clock is a day ahead has written is sent at once, and one with a delay after that", async () => {
	const s = await scene(() => ({}));
	const ahead = { db: s.ctx.db, clock: { now: () => s.ctx.clock.now() + 24 * HOUR } };
	const job = await s.t.addJob("completed");
	await noteEvents(ahead, "job.ended", 1, [job]);
	await noteEvents(ahead, "job.ended", 1, [job], 30_000);
	s.delivery.wake();
	await s.settled("delivered");
	expect(s.tried).toHaveLength(1);
	s.t.advance(31_000);
	s.delivery.wake();
	await s.settled("delivered", 2);
	expect(s.tried.map((body) => Date.parse(JSON.parse(body).timestamp) <= s.ctx.clock.now())).toEqual([true, true]);
});

test("Retry-After counts if it is later than the next attempt, up to a day", () => {
	const ctx = { clock: { now: () => 0 } };
	expect(nextAttemptAt(ctx, 1, 60_000)).toBe(60_000);
	expect(nextAttemptAt(ctx, 2, 60_000)).toBeGreaterThanOrEqual(5 * 60_000);
	expect(nextAttemptAt(ctx, 1, 9e9)).toBe(24 * HOUR);
	expect(nextAttemptAt(ctx, RETRY_AFTER_MS.length + 1, 60_000)).toBeNull();
	const times = Array.from({ length: 50 }, () => nextAttemptAt(ctx, 3, 0) as number);
	expect(Math.min(...times)).toBeGreaterThanOrEqual(30 * 60_000);
	expect(new Set(times).size).toBeGreaterThan(40);
});

test("an attempt that is cut off by the end of the process is not counted, and made again by the next", async () => {
	const t = await openTestRecordings();
	onTestFinished(() => t.close());
	const ctx = t.as("key");
	const { id: webhookId } = await createWebhook(ctx, () => true, {
		url: "http://a.test/",
		events: ["job.ended"],
		q: null,
		kind: "standard",
		onlyNew: false,
		botToken: null,
	});
	const now = ctx.clock.now();
	const message = { body: "a", messageId: "a", type: "job.ended", orderKey: "job 1" };
	await ctx.db
		.insertInto("webhookDelivery")
		.values({ ...message, organizationId: 1, webhookId, nextAt: now, createdAt: now })
		.execute();
	const first = new AbortController();
	let begun = 0;
	const dies = webhookDelivery(
		(_, signal) =>
			new Promise((resolve) => {
				begun += 1;
				const cut = { status: null, error: "cut", answer: null, retryAfterMs: 0, durationMs: 0 };
				signal.addEventListener("abort", () => resolve(cut));
			}),
	);
	const running = dies.run(ctx, first.signal);
	await until(() => begun === 1, "the first process sends it");
	first.abort();
	await running;
	const second = new AbortController();
	const sent: Sent = { status: 200, error: null, answer: "", retryAfterMs: 0, durationMs: 1 };
	const next = webhookDelivery(async () => sent).run(ctx, second.signal);
	const row = await until(
		() => ctx.db.selectFrom("webhookDelivery").selectAll().where("state", "=", "delivered").executeTakeFirst(),
		"the next process delivers it",
	);
	expect(row.attempts).toBe(1);
	second.abort();
	await next;
});
