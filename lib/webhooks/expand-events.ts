/** Turns events into deliveries: one for each webhook that wants the event, with the payload that it will get. */
import { setImmediate } from "node:timers/promises";
import type { WebhookEvent } from "@tapedeck/contract/webhook-events.ts";
import type { Insertable } from "kysely";
import { type Context, inTransaction } from "#lib/core/context.ts";
import type { WebhookDeliveryTable } from "#lib/db/schema.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { foundAmong } from "#lib/search/find.ts";
import { chatBody } from "./chat/chat-body.ts";
import { bringEventsBack, MAX_AHEAD_MS } from "./clock-set-back.ts";
import { newMessageId } from "./deliveries.ts";
import { type EventRow, type Message, messageOf, type SearchedRow } from "./payload.ts";
import type { WebhookRow } from "./webhooks.ts";

const EVENTS_AT_ONCE = 50;
/** Rows of one statement, which holds the event loop for some milliseconds with SQLite. */
const ROWS_AT_ONCE = 100;

/** @returns whether there may be more. */
export async function expandEvents(ctx: RecordingContext): Promise<boolean> {
	const now = ctx.clock.now();
	const events = await ctx.db
		.selectFrom("webhookEvent")
		.selectAll()
		.where(({ or, eb }) => or([eb("dueAt", "<=", now), eb("at", ">", now + MAX_AHEAD_MS)]))
		.orderBy("id")
		.limit(EVENTS_AT_ONCE)
		.execute();
	if (events.length === 0) return false;
	if (events.some(({ dueAt }) => dueAt > now)) {
		await bringEventsBack(ctx);
		return true;
	}
	const webhooks = await webhooksOf(ctx, events);
	const announced: Announced[] = [];
	for (const event of events) {
		const wanting = webhooks.filter(
			({ organizationId, wants }) => organizationId === event.organizationId && wants.has(event.type),
		);
		const message = wanting.length === 0 ? null : await messageOf(ctx, event);
		announced.push({ event, wanting, message });
		// SQLite answers at once, and requests would wait for all of it.
		await setImmediate();
	}
	const isFound = searchAmong(ctx, announced);
	const deliveries = new Map<number, Insertable<WebhookDeliveryTable>[]>();
	for (const one of announced) {
		deliveries.set(one.event.id, await deliveriesOf(ctx, one, isFound));
		// Most searches were run for an earlier event.
		await setImmediate();
	}
	await inTransaction(ctx, async (ctx) => {
		// Only the dashboard that deletes the event writes its deliveries: one that has just lost its claim may try as well.
		const taken = await ctx.db
			.deleteFrom("webhookEvent")
			.where("id", "in", [...deliveries.keys()])
			.returning("id")
			.execute();
		const rows = taken.map(({ id }) => id).sort((a, b) => a - b);
		const values = rows.flatMap((id) => deliveries.get(id) ?? []);
		for (let at = 0; at < values.length; at += ROWS_AT_ONCE) {
			await ctx.db
				.insertInto("webhookDelivery")
				.values(values.slice(at, at + ROWS_AT_ONCE))
				.execute();
			await setImmediate();
		}
	});
	return events.length === EVENTS_AT_ONCE;
}

type Wanting = Pick<WebhookRow, "id" | "organizationId" | "q" | "kind" | "onlyNew" | "botTokenSealed"> & {
	wants: ReadonlySet<WebhookEvent>;
};

async function webhooksOf(ctx: Context, events: readonly EventRow[]): Promise<Wanting[]> {
	const rows = await ctx.db
		.selectFrom("webhook")
		.select(["id", "organizationId", "q", "events", "kind", "onlyNew", "botTokenSealed"])
		.where("organizationId", "in", [...new Set(events.map(({ organizationId }) => organizationId))])
		.orderBy("id")
		.execute();
	return rows.map(({ events, ...row }) => ({ ...row, wants: new Set(JSON.parse(events) as WebhookEvent[]) }));
}

interface Announced {
	event: EventRow;
	wanting: readonly Wanting[];
	/** Null if nobody wants it, or if its subject is gone. */
	message: Message | null;
}

type IsFound = (one: Announced, q: string) => Promise<boolean>;

/** Runs each search once for all rows of a table: with many webhooks, searches take most of the time. */
function searchAmong(ctx: RecordingContext, announced: readonly Announced[]): IsFound {
	const rows = Map.groupBy(announced, ({ event, message }) => `${event.organizationId} ${message?.searched?.table}`);
	const found = new Map<string, Set<number>>();
	return async ({ event: { organizationId }, message }, q) => {
		const searched = message?.searched ?? null;
		if (searched === null) return true;
		if (searched.table === "build") return searched.isFoundBy(q);
		const key = `${organizationId} ${searched.table}`;
		const search = `${key} ${q}`;
		let ids = found.get(search);
		if (ids === undefined) {
			const among = rows.get(key)?.flatMap(({ message }) => (message?.searched as SearchedRow | null)?.id ?? []) ?? [];
			const owned = { ...ctx, actor: { kind: "system", organizationId } } as const;
			ids = await foundAmong(owned, searched.table, [...new Set(among)], q);
			found.set(search, ids);
			await setImmediate();
		}
		return ids.has(searched.id);
	};
}

async function deliveriesOf(
	ctx: RecordingContext,
	one: Announced,
	isFound: IsFound,
): Promise<Insertable<WebhookDeliveryTable>[]> {
	const { event, wanting, message } = one;
	if (message === null) return [];
	const messageId = newMessageId();
	const now = ctx.clock.now();
	const { organizationId, type } = event;
	const { orderKey } = message;
	const rows: Insertable<WebhookDeliveryTable>[] = [];
	for (const webhook of wanting) {
		const { id: webhookId, q } = webhook;
		if (q !== null && !(await isFound(one, q))) continue;
		const body = await bodyFor(message, webhook);
		if (body === null) continue;
		rows.push({ organizationId, webhookId, messageId, type, orderKey, body, nextAt: now, createdAt: now });
	}
	return rows;
}

/** @returns null if this receiver gets nothing. */
async function bodyFor({ body, news }: Message, { kind, onlyNew, botTokenSealed }: Wanting): Promise<string | null> {
	if (kind === "standard" && (onlyNew === 0 || news === null)) return body;
	const newsOfBuild = (await news?.()) ?? null;
	if (newsOfBuild === null || (onlyNew === 1 && newsOfBuild.newCauses.all === 0)) return null;
	return kind === "standard" ? body : chatBody(kind, newsOfBuild, { withFrames: botTokenSealed !== null });
}
