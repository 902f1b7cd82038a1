/**
 * Delivers what waits: at least once, and in order among deliveries with one key. One dashboard process does it for all
 * that share the database. Each webhook has its own turn, so that a slow or dead receiver holds up nobody else.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Context, inTransaction } from "#lib/core/context.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { bringDeliveriesBack } from "./clock-set-back.ts";
import type { DeliveryRow } from "./deliveries.ts";
import { expandEvents } from "./expand-events.ts";
import { postSigned } from "./post.ts";
import type { Send, Sent } from "./send.ts";
import { awaitsFrames, hasFrames, withFrames, withoutFrames } from "./slack-frames.ts";
import { secretsOf, type WebhookRow } from "./webhooks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delays after failed attempts, as Standard Webhooks recommends: 75 hours in all. */
export const RETRY_AFTER_MS: readonly number[] = [
	...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
	...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
/** Random share of each delay, so that receivers that were away do not get everything at once. */
const JITTER = 0.1;
/** A receiver cannot ask for more. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;
/** The most deliveries to one receiver at a time. */
const AT_ONCE = 8;
/** Retries are looked for so often. */
const LOOK_MS = 1_000;
/** Without a webhook there are no events. Every change brings the next look forward. */
const IDLE_LOOK_MS = 10_000;
/** Events that come together are expanded together. */
const GATHER_MS = 50;

export interface WebhookDelivery {
	/** Something may be due. */
	wake(): void;
	/** Delivers until the signal aborts. Attempts that are on their way then are made again by whoever follows. */
	run(ctx: RecordingContext, signal: AbortSignal): Promise<void>;
}

export function webhookDelivery(send: Send): WebhookDelivery {
	let wake = (): void => undefined;
	/** @returns a function that waits for the next wake, from now on, and at most for a time. */
	const nextWake = () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		wake = resolve;
		return async (atMostMs: number) => {
			const timer = setTimeout(resolve, atMostMs);
			await promise;
			clearTimeout(timer);
		};
	};
	return {
		wake: () => wake(),
		async run(ctx, stop) {
			const failed = new AbortController();
			const signal = AbortSignal.any([stop, failed.signal]);
			signal.addEventListener("abort", () => wake());
			const running = new Map<number, Promise<void>>();
			const turn = turns();
			const begin = (id: number) => {
				const work = deliverTo({ ctx, send, turn, signal }, id)
					.catch((error) => signal.aborted || ctx.log.error({ err: error, webhookId: id }, "webhook delivery failed"))
					.then(() => void running.delete(id));
				running.set(id, work);
			};
			// Until the first look, the clock of the dashboard that delivered before counts.
			let lookedAt = Number.POSITIVE_INFINITY;
			try {
				while (!signal.aborted) {
					const wakes = nextWake();
					const now = ctx.clock.now();
					if (now < lookedAt) await bringDeliveriesBack(ctx);
					lookedAt = now;
					let isMore = false;
					do {
						isMore = await expandEvents(ctx);
						// Also while there are more events: they may come as quickly as they are expanded.
						for (const id of await dueWebhooks(ctx)) if (!running.has(id)) begin(id);
						// SQLite answers at once: without this, requests wait until all events are expanded.
						await setImmediate();
					} while (isMore && !signal.aborted);
					await wakes((await hasWebhooks(ctx)) ? LOOK_MS : IDLE_LOOK_MS);
					await sleep(GATHER_MS, undefined, { signal }).catch(() => undefined);
				}
			} finally {
				failed.abort();
				await Promise.all(running.values());
			}
		},
	};
}

/** Webhooks with a delivery that is due. Two short reads of indexes for each, however much waits. */
async function dueWebhooks(ctx: Context): Promise<number[]> {
	const now = ctx.clock.now();
	const due = sql`select 1 from "webhookDelivery" where "webhookId" = webhook.id and "nextAt" is not null and "nextAt" <= ${now}`;
	const { rows } = await sql<{ id: number }>`select id from webhook where
		("pausedAt" is null and exists (${due})) or exists (${due} and "isManual" = 1)`.execute(ctx.db);
	return rows.map(({ id }) => id);
}

const hasWebhooks = async ({ db }: Context): Promise<boolean> =>
	(await db.selectFrom("webhook").select("id").limit(1).executeTakeFirst()) !== undefined;

interface Work {
	ctx: RecordingContext;
	send: Send;
	/** Waits for a turn of the event loop that no other step of a delivery has. */
	turn: () => Promise<void>;
	signal: AbortSignal;
}

/**
 * SQLite answers at once, so the steps of a hundred receivers' deliveries would follow each other without a pause, and requests
 * would wait for all of them.
 */
function turns(): () => Promise<void> {
	let last: Promise<unknown> = Promise.resolve();
	return async () => {
		last = last.then(() => setImmediate());
		await last;
	};
}

/** Delivers to one receiver until nothing is due. */
async function deliverTo(work: Work, webhookId: number): Promise<void> {
	const { ctx, turn, signal } = work;
	while (!signal.aborted) {
		await turn();
		const webhook = await ctx.db.selectFrom("webhook").selectAll().where("id", "=", webhookId).executeTakeFirst();
		if (webhook === undefined) return;
		const deliveries = await nextDeliveries(ctx, webhook);
		if (deliveries.length === 0) return;
		await Promise.all(deliveries.map((delivery) => attempt(work, { webhook, delivery })));
	}
}

/** Due deliveries without an earlier one of the same key: at most one per key. */
function nextDeliveries(ctx: Context, { id, pausedAt }: WebhookRow): Promise<DeliveryRow[]> {
	return ctx.db
		.selectFrom("webhookDelivery as delivery")
		.selectAll()
		.where("webhookId", "=", id)
		.where("nextAt", "is not", null)
		.where("nextAt", "<=", ctx.clock.now())
		.$if(pausedAt !== null, (query) => query.where(sql<boolean>`"isManual" = 1`))
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom("webhookDelivery as earlier")
						.select("earlier.id")
						.whereRef("earlier.webhookId", "=", "delivery.webhookId")
						.whereRef("earlier.orderKey", "=", "delivery.orderKey")
						.whereRef("earlier.id", "<", "delivery.id")
						.where("earlier.nextAt", "is not", null),
				),
			),
		)
		.orderBy("nextAt")
		.orderBy("id")
		.limit(AT_ONCE)
		.execute();
}

interface Attempt {
	webhook: WebhookRow;
	delivery: DeliveryRow;
}

async function attempt({ ctx, send, turn, signal }: Work, { webhook, delivery }: Attempt) {
	let { body } = delivery;
	await turn();
	if (signal.aborted) return;
	if (awaitsFrames(webhook, body)) {
		const framed = await withFrames(ctx, send, { webhook, delivery }, signal);
		if (signal.aborted) return;
		if (framed === "later") return postpone(ctx, delivery);
		await storeBody(ctx, delivery, framed);
		body = framed;
	}
	const at = ctx.clock.now();
	const secrets = secretsOf(ctx, webhook);
	const post = (body: string) =>
		postSigned(send, { url: webhook.url, messageId: delivery.messageId, body, secrets, at }, signal);
	let sent = await post(body);
	// Slack refuses a message whose pictures it has not read yet, or will not show.
	if (sent.status === 400 && delivery.attempts > 0 && hasFrames(webhook, body)) {
		body = withoutFrames(body, "Slack did not accept the message with them");
		await storeBody(ctx, delivery, body);
		sent = await post(body);
	}
	// The next dashboard that delivers sends it again.
	if (signal.aborted) return;
	await turn();
	await inTransaction(ctx, (ctx) => storeAttempt(ctx, { webhook, delivery }, sent, at));
}

/** Frames that are uploaded are not uploaded again at the next attempt, and the log shows what is sent. */
async function storeBody(ctx: Context, { id }: DeliveryRow, body: string): Promise<void> {
	await ctx.db.updateTable("webhookDelivery").set({ body }).where("id", "=", id).execute();
}

const FRAMES_MS = 2_000;

/** Puts the delivery off without an attempt: its frames are about to be taken. */
async function postpone(ctx: Context, delivery: DeliveryRow): Promise<void> {
	const nextAt = ctx.clock.now() + FRAMES_MS;
	await ctx.db.updateTable("webhookDelivery").set({ nextAt }).where("id", "=", delivery.id).execute();
	await holdFollowers(ctx, delivery, nextAt);
}

async function storeAttempt(ctx: Context, { webhook, delivery }: Attempt, sent: Sent, at: number): Promise<void> {
	const attempts = delivery.attempts + 1;
	const isGone = sent.status === 410;
	const nextAt = sent.error === null || isGone ? null : nextAttemptAt(ctx, attempts, sent.retryAfterMs);
	const state = sent.error === null ? "delivered" : nextAt === null ? "failed" : "waiting";
	ctx.measures?.webhookAttempted(state === "waiting" ? "retried" : state);
	await ctx.db
		.updateTable("webhookDelivery")
		.set({ state, attempts, nextAt, lastAttemptAt: at, ...storedOf(sent) })
		.where("id", "=", delivery.id)
		.execute();
	if (nextAt !== null) await holdFollowers(ctx, delivery, nextAt);
	if (!isGone) return;
	const pausedBecause = "The receiver answered 410 Gone: it wants no more requests.";
	await ctx.db
		.updateTable("webhook")
		.set({ pausedAt: at, pausedBecause })
		.where("id", "=", webhook.id)
		.where("pausedAt", "is", null)
		.execute();
}

const storedOf = ({ status, error, answer, durationMs }: Sent) => ({ status, error, answer, durationMs });

/** They wait for this one: until then nobody looks at them. */
async function holdFollowers(ctx: Context, { id, webhookId, orderKey }: DeliveryRow, until: number): Promise<void> {
	await ctx.db
		.updateTable("webhookDelivery")
		.set({ nextAt: until })
		.where("webhookId", "=", webhookId)
		.where("orderKey", "=", orderKey)
		.where("id", ">", id)
		.where("nextAt", "<", until)
		.execute();
}

/** @param attempts how many there were. @returns null after the last one. */
export function nextAttemptAt(ctx: Pick<Context, "clock">, attempts: number, retryAfterMs: number): number | null {
	const delay = RETRY_AFTER_MS[attempts - 1];
	if (delay === undefined) return null;
	const jittered = delay * (1 + JITTER * Math.random());
	return Math.round(ctx.clock.now() + Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}
