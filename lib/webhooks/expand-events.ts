/** Turns events into deliveries: one for each webhook that wants the event, with the payload that it will get. */
import type { WebhookEvent } from "@tapedeck/contract/webhook-events.ts";
import type { Insertable } from "kysely";
import { type Context, inTransaction } from "#lib/core/context.ts";
import type { WebhookDeliveryTable } from "#lib/db/schema.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { chatBody } from "./chat/chat-body.ts";
import { newMessageId } from "./deliveries.ts";
import { type EventRow, type Message, messageOf } from "./payload.ts";
import type { WebhookRow } from "./webhooks.ts";

const EVENTS_AT_ONCE = 50;

/** @returns whether there may be more. */
export async function expandEvents(ctx: RecordingContext): Promise<boolean> {
	const events = await ctx.db
		.selectFrom("webhookEvent")
		.selectAll()
		.where("dueAt", "<=", ctx.clock.now())
		.orderBy("id")
		.limit(EVENTS_AT_ONCE)
		.execute();
	if (events.length === 0) return false;
	const webhooks = await webhooksOf(ctx, events);
	const deliveries = new Map<number, Insertable<WebhookDeliveryTable>[]>();
	for (const event of events) deliveries.set(event.id, await deliveriesOf(ctx, event, webhooks));
	await inTransaction(ctx, async (ctx) => {
		// Only the dashboard that deletes the event writes its deliveries: one that has just lost its claim may try as well.
		const taken = await ctx.db
			.deleteFrom("webhookEvent")
			.where("id", "in", [...deliveries.keys()])
			.returning("id")
			.execute();
		const rows = taken.map(({ id }) => id).sort((a, b) => a - b);
		const values = rows.flatMap((id) => deliveries.get(id) ?? []);
		// SQLite has at most 32,766 parameters.
		for (let at = 0; at < values.length; at += 1_000)
			await ctx.db
				.insertInto("webhookDelivery")
				.values(values.slice(at, at + 1_000))
				.execute();
	});
	return events.length === EVENTS_AT_ONCE;
}

type Wanting = Pick<WebhookRow, "id" | "organizationId" | "q" | "kind" | "onlyNew"> & {
	wants: ReadonlySet<WebhookEvent>;
};

async function webhooksOf(ctx: Context, events: readonly EventRow[]): Promise<Wanting[]> {
	const rows = await ctx.db
		.selectFrom("webhook")
		.select(["id", "organizationId", "q", "events", "kind", "onlyNew"])
		.where("organizationId", "in", [...new Set(events.map(({ organizationId }) => organizationId))])
		.orderBy("id")
		.execute();
	return rows.map(({ events, ...row }) => ({ ...row, wants: new Set(JSON.parse(events) as WebhookEvent[]) }));
}

async function deliveriesOf(
	ctx: RecordingContext,
	event: EventRow,
	webhooks: readonly Wanting[],
): Promise<Insertable<WebhookDeliveryTable>[]> {
	const wanting = webhooks.filter(
		({ organizationId, wants }) => organizationId === event.organizationId && wants.has(event.type),
	);
	const message = wanting.length === 0 ? null : await messageOf(ctx, event);
	if (message === null) return [];
	const messageId = newMessageId();
	const now = ctx.clock.now();
	const { organizationId, type } = event;
	const { orderKey } = message;
	const rows: Insertable<WebhookDeliveryTable>[] = [];
	for (const webhook of wanting) {
		const { id: webhookId, q } = webhook;
		if (q !== null && !(await message.isFoundBy(q))) continue;
		const body = await bodyFor(message, webhook);
		if (body === null) continue;
		rows.push({ organizationId, webhookId, messageId, type, orderKey, body, nextAt: now, createdAt: now });
	}
	return rows;
}

/** @returns null if this receiver gets nothing. */
async function bodyFor({ body, news }: Message, { kind, onlyNew }: Wanting): Promise<string | null> {
	if (kind === "standard" && (onlyNew === 0 || news === null)) return body;
	const told = (await news?.()) ?? null;
	if (told === null || (onlyNew === 1 && told.newCauses.all === 0)) return null;
	return kind === "standard" ? body : chatBody(kind, told);
}
