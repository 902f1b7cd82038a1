/** A webhook that is paused while 10,000 events come. */
import { expect, onTestFinished, test } from "vitest";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { openTestRecordings } from "#test/recordings.ts";
import { until } from "#test/wait.ts";
import { webhookDelivery } from "./deliver.ts";
import { changeWebhook, createWebhook } from "./webhooks.ts";

const EVENTS = 10_000;
const JOBS = 100;
const PATIENCE_MS = 200_000;

test("10,000 events that come while a webhook is paused wait, and arrive in the order of each job when it is resumed", async () => {
	const t = await openTestRecordings();
	const ctx = t.as("key");
	const arrived: { messageId: string; job: number }[] = [];
	const delivery = webhookDelivery(async ({ headers, body }) => {
		arrived.push({ messageId: headers["webhook-id"] ?? "", job: JSON.parse(String(body)).data.job.id });
		return { status: 200, error: null, answer: "", retryAfterMs: 0, durationMs: 1 };
	});
	const stop = new AbortController();
	const running = delivery.run(ctx, stop.signal);
	onTestFinished(async () => {
		stop.abort();
		await running;
		await t.close();
	});
	const { id } = await createWebhook(ctx, () => true, {
		...{
			url: "http://a.test/",
			events: ["job.ended" as const],
			q: null,
			kind: "standard" as const,
			onlyNew: false,
			botToken: null,
		},
	});
	await changeWebhook(ctx, () => true, id, { paused: true });
	const jobs: number[] = [];
	for (let job = 0; job < JOBS; job += 1) jobs.push(await t.addJob("completed"));
	for (let round = 0; round < EVENTS / JOBS; round += 1) await noteEvents(ctx, "job.ended", 1, jobs);
	delivery.wake();
	const waiting = () => ctx.db.selectFrom("webhookDelivery").select(["messageId", "orderKey"]).orderBy("id").execute();
	const rows = await until(
		async () => {
			const rows = await waiting();
			return rows.length === EVENTS ? rows : null;
		},
		"the deliveries are written",
		PATIENCE_MS,
	);
	expect(arrived).toEqual([]);

	await changeWebhook(ctx, () => true, id, { paused: false });
	delivery.wake();
	await until(
		() => arrived.length >= EVENTS,
		() => `${EVENTS} arrive, not ${arrived.length}`,
		PATIENCE_MS,
	);
	const order = Map.groupBy(arrived, ({ job }) => job);
	expect(order.size).toBe(JOBS);
	for (const [job, same] of order) {
		const written = rows.filter(({ orderKey }) => orderKey === `job ${job}`);
		expect(same.map(({ messageId }) => messageId)).toEqual(written.map(({ messageId }) => messageId));
	}
});
