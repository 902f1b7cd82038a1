/** The log of a webhook's deliveries, and those that people ask for: a test, and sending one again. */
import { randomUUID } from "node:crypto";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Delivery, ListDeliveriesQuery, WholeDelivery } from "@tapedeck/contract/webhook.ts";
import type { Selectable } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { WebhookDeliveryTable } from "#lib/db/schema.ts";
import { testChatBody } from "./chat/chat-body.ts";
import { testBody } from "./payload.ts";
import { findWebhook, named, type WebhookRow } from "./webhooks.ts";

/** A context with the dashboard's address. */
type SendingContext = Context & { baseUrl: string };

export type DeliveryRow = Selectable<WebhookDeliveryTable>;

/** Everything but the texts. */
const COLUMNS = [
	...(["id", "webhookId", "messageId", "type", "state", "attempts", "createdAt", "lastAttemptAt"] as const),
	...(["nextAt", "status", "error", "durationMs"] as const),
] as const;

/** Newest first. @throws not_found; validation_failed at `cursor` */
export async function listDeliveries(
	ctx: Context,
	webhookId: number,
	{ state, limit, cursor }: ListDeliveriesQuery,
): Promise<Page<Delivery>> {
	await findWebhook(ctx, webhookId);
	const rows = await ctx.db
		.selectFrom("webhookDelivery")
		.select(COLUMNS)
		.where("webhookId", "=", webhookId)
		.$if(state !== undefined, (query) => query.where("state", "=", state ?? "waiting"))
		.$if(cursor !== undefined, (query) => query.where("id", "<", readCursor(cursor ?? "")))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return pageFrom(rows, limit, deliveryView);
}

/** @throws not_found */
export async function readDelivery(ctx: Context, webhookId: number, id: number): Promise<WholeDelivery> {
	const row = await findDelivery(ctx, webhookId, id);
	return { ...deliveryView(row), body: row.body, answer: row.answer };
}

/** Sends a message that looks and is signed like any other, also while the webhook is paused. @throws not_found */
export function sendTest(ctx: SendingContext, webhookId: number): Promise<Delivery> {
	const find = async (ctx: SendingContext, { kind }: WebhookRow) => ({
		messageId: newMessageId(),
		type: "webhook.test",
		body: kind === "standard" ? testBody(ctx) : testChatBody(kind, ctx.baseUrl),
	});
	return addManually(ctx, webhookId, find, "webhook.test_sent");
}

/** Sends the same message once more, also while the webhook is paused. @throws not_found */
export function sendAgain(ctx: SendingContext, webhookId: number, id: number): Promise<Delivery> {
	return addManually(ctx, webhookId, (ctx) => findDelivery(ctx, webhookId, id), "webhook.delivery_repeated");
}

export const newMessageId = (): string => `msg_${randomUUID()}`;

async function addManually(
	ctx: SendingContext,
	webhookId: number,
	find: (ctx: SendingContext, webhook: WebhookRow) => Promise<Pick<DeliveryRow, "messageId" | "type" | "body">>,
	action: "webhook.test_sent" | "webhook.delivery_repeated",
): Promise<Delivery> {
	const row = await inTransaction(ctx, async (ctx) => {
		const webhook = await findWebhook(ctx, webhookId);
		const { messageId, type, body } = await find(ctx, webhook);
		const now = ctx.clock.now();
		const { organizationId } = ctx.actor;
		const row = await ctx.db
			.insertInto("webhookDelivery")
			.values({
				organizationId,
				webhookId,
				messageId,
				type,
				body,
				isManual: 1,
				// It waits for no other.
				orderKey: `manual ${randomUUID()}`,
				nextAt: now,
				createdAt: now,
			})
			.returningAll()
			.executeTakeFirstOrThrow();
		await audit(ctx, { action, detail: { ...named(webhook), messageId } });
		return row;
	});
	ctx.events.publish({ type: "webhooks", organizationId: ctx.actor.organizationId });
	return deliveryView(row);
}

async function findDelivery(ctx: Context, webhookId: number, id: number): Promise<DeliveryRow> {
	const row = await ctx.db
		.selectFrom("webhookDelivery")
		.selectAll()
		.where("id", "=", id)
		.where("webhookId", "=", webhookId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("delivery");
	return row;
}

const deliveryView = (row: Pick<DeliveryRow, (typeof COLUMNS)[number]>): Delivery => ({
	id: row.id,
	webhookId: row.webhookId,
	messageId: row.messageId,
	type: row.type,
	state: row.state,
	attempts: row.attempts,
	createdAt: timestamp(row.createdAt),
	lastAttemptAt: timestampOrNull(row.lastAttemptAt),
	nextAttemptAt: timestampOrNull(row.nextAt),
	status: row.status,
	error: row.error,
	durationSeconds: row.durationMs === null ? null : row.durationMs / 1_000,
});

const DELIVERY_DAYS = 30;
const DAY_MS = 86_400_000;
const SWEPT_AT_ONCE = 1_000;

/** Deletes deliveries after 30 days, those as well that wait for a paused webhook. */
export async function sweepDeliveries(ctx: Context, stopping: AbortSignal): Promise<void> {
	const before = ctx.clock.now() - DELIVERY_DAYS * DAY_MS;
	for (let count = SWEPT_AT_ONCE; count === SWEPT_AT_ONCE && !stopping.aborted; ) {
		const { numDeletedRows } = await ctx.db
			.deleteFrom("webhookDelivery")
			.where("id", "in", (db) =>
				db.selectFrom("webhookDelivery").select("id").where("createdAt", "<", before).limit(SWEPT_AT_ONCE),
			)
			.executeTakeFirst();
		count = Number(numDeletedRows);
	}
}
