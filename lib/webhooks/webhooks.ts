/** `/v1/webhooks`: where an organization's events are sent. */
import { randomBytes } from "node:crypto";
import type { Page } from "@tapedeck/contract/page.ts";
import {
	BOT_TOKEN_KIND_FAULT,
	CHAT_EVENTS_FAULT,
	type ChangeWebhook,
	type CreateWebhook,
	isForChats,
	type NewWebhook,
	type Webhook,
} from "@tapedeck/contract/webhook.ts";
import type { WebhookEvent } from "@tapedeck/contract/webhook-events.ts";
import type { Selectable } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, creatorOf, inTransaction } from "#lib/core/context.ts";
import { invalid, notFound, TapedeckError } from "#lib/core/errors.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { WebhookTable } from "#lib/db/schema.ts";
import { type AddressRule, literalAddress, refusalOf } from "./allowed-address.ts";

export type WebhookRow = Selectable<WebhookTable>;

/** The number that one organization can have. */
export const MAX_WEBHOOKS = 100;
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
/** After a rotation, requests have signatures of both secrets for so long. */
const BOTH_SECRETS_MS = 24 * 3_600_000;

export async function listWebhooks(ctx: Context): Promise<Page<Webhook>> {
	const rows = await ownWebhooks(ctx).orderBy("id").execute();
	return { data: await webhookViews(ctx, rows), nextCursor: null };
}

/** @throws not_found */
export async function readWebhook(ctx: Context, id: number): Promise<Webhook> {
	return webhookView(ctx, await findWebhook(ctx, id));
}

/** @throws validation_failed at `url` for an address that is not allowed; conflict if there are too many. */
export async function createWebhook(ctx: Context, isAllowed: AddressRule, body: CreateWebhook): Promise<NewWebhook> {
	assertAllowed(isAllowed, body.url);
	const { organizationId } = ctx.actor;
	const secret = newSecret();
	const row = await inTransaction(ctx, async (ctx) => {
		const { count } = await ctx.db
			.selectFrom("webhook")
			.select(({ fn }) => fn.countAll<number>().as("count"))
			.where("organizationId", "=", organizationId)
			.executeTakeFirstOrThrow();
		if (Number(count) >= MAX_WEBHOOKS)
			throw new TapedeckError("conflict", `The organization has ${MAX_WEBHOOKS} webhooks already. Delete one first.`);
		const row = await ctx.db
			.insertInto("webhook")
			.values({
				organizationId,
				url: body.url,
				events: JSON.stringify(body.events),
				q: body.q,
				kind: body.kind,
				onlyNew: Number(body.onlyNew),
				secretSealed: ctx.secrets.seal(secret),
				botTokenSealed: sealedOrNull(ctx, body.botToken),
				createdBy: creatorOf(ctx)?.name ?? null,
				createdAt: ctx.clock.now(),
			})
			.returningAll()
			.executeTakeFirstOrThrow();
		await audit(ctx, {
			action: "webhook.created",
			detail: { ...named(row), kind: body.kind, events: body.events, q: body.q },
		});
		return row;
	});
	return { ...(await webhookView(ctx, row)), secret };
}

/** @throws not_found; validation_failed at `url` for an address that is not allowed. */
export async function changeWebhook(
	ctx: Context,
	isAllowed: AddressRule,
	id: number,
	{ paused, events, onlyNew, botToken, ...changes }: ChangeWebhook,
): Promise<Webhook> {
	if (changes.url !== undefined) assertAllowed(isAllowed, changes.url);
	const row = await inTransaction(ctx, async (ctx) => {
		const before = await findWebhook(ctx, id);
		if (botToken === undefined && isElsewhere(before, changes.url))
			throw invalid({ path: "botToken", code: "required", message: BOT_TOKEN_AGAIN });
		const set = {
			...changes,
			...(events === undefined ? {} : { events: JSON.stringify(events) }),
			...(onlyNew === undefined ? {} : { onlyNew: Number(onlyNew) }),
			...(botToken === undefined ? {} : { botTokenSealed: sealedOrNull(ctx, botToken) }),
			...(paused === undefined ? {} : { pausedAt: paused ? ctx.clock.now() : null, pausedBecause: null }),
		};
		const row = await ctx.db
			.updateTable("webhook")
			.set(set)
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("webhook");
		// Its kind stays. What was written is undone.
		if (events !== undefined && row.kind !== "standard" && !isForChats(events))
			throw invalid({ path: "events", code: "invalid", message: CHAT_EVENTS_FAULT });
		if (row.botTokenSealed !== null && row.kind !== "slack")
			throw invalid({ path: "botToken", code: "invalid", message: BOT_TOKEN_KIND_FAULT });
		const { q } = changes;
		const detail = {
			...named(row),
			...(q !== undefined && { q }),
			...(events && { events }),
			...(onlyNew !== undefined && { onlyNew }),
			...(botToken !== undefined && { hasBotToken: botToken !== null }),
			...(paused !== undefined && { paused }),
		};
		await audit(ctx, { action: "webhook.changed", detail });
		return row;
	});
	return webhookView(ctx, row);
}

/** Its deliveries go with it. @throws not_found */
export async function deleteWebhook(ctx: Context, id: number): Promise<void> {
	await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.deleteFrom("webhook")
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("webhook");
		await audit(ctx, { action: "webhook.deleted", detail: named(row) });
	});
}

/**
 * Replaces the secret. For a day, requests are signed with the one before as well; the one before that ends at once.
 * @throws not_found
 */
export async function rotateWebhookSecret(ctx: Context, id: number): Promise<NewWebhook> {
	const secret = newSecret();
	const row = await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.updateTable("webhook")
			.set(({ ref }) => ({
				previousSecretSealed: ref("secretSealed"),
				previousSecretUntil: ctx.clock.now() + BOTH_SECRETS_MS,
				secretSealed: ctx.secrets.seal(secret),
			}))
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("webhook");
		await audit(ctx, { action: "webhook.secret_rotated", detail: named(row) });
		return row;
	});
	return { ...(await webhookView(ctx, row)), secret };
}

/** @throws not_found */
export async function findWebhook(ctx: Context, id: number): Promise<WebhookRow> {
	const row = await ownWebhooks(ctx).where("id", "=", id).executeTakeFirst();
	if (row === undefined) throw notFound("webhook");
	return row;
}

const ownWebhooks = (ctx: Context) =>
	ctx.db.selectFrom("webhook").selectAll().where("organizationId", "=", ctx.actor.organizationId);

/** The secrets that a request is signed with, the current one first. */
export function secretsOf(ctx: Pick<Context, "secrets" | "clock">, row: WebhookRow): string[] {
	const isRotating = row.previousSecretUntil !== null && row.previousSecretUntil > ctx.clock.now();
	const previous = isRotating ? row.previousSecretSealed : null;
	return [row.secretSealed, ...(previous === null ? [] : [previous])].map((sealed) => ctx.secrets.open(sealed));
}

const BOT_TOKEN_AGAIN = "Send botToken again, or null: the new url has another host, which would get the token.";

/** Whether the token of its bot would go to another host with this URL. */
const isElsewhere = ({ botTokenSealed, url }: WebhookRow, changed: string | undefined): boolean =>
	botTokenSealed !== null && changed !== undefined && new URL(changed).origin !== new URL(url).origin;

const sealedOrNull = ({ secrets }: Pick<Context, "secrets">, text: string | null): string | null =>
	text === null ? null : secrets.seal(text);

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/** A host name is checked when it is resolved for a delivery. */
function assertAllowed(isAllowed: AddressRule, url: string): void {
	const address = literalAddress(new URL(url));
	if (address !== null && !isAllowed(address))
		throw invalid({ path: "url", code: "not_allowed", message: refusalOf(address) });
}

/** Name in the audit log: without the path, which may contain a secret of the receiver, as for chats. */
export function named({ id, url, kind }: Pick<WebhookRow, "id" | "url" | "kind">): {
	webhookId: number;
	webhook: string;
} {
	const { origin, pathname } = new URL(url);
	return { webhookId: id, webhook: kind === "standard" ? origin + pathname : origin };
}

const webhookView = async (ctx: Context, row: WebhookRow): Promise<Webhook> =>
	(await webhookViews(ctx, [row]))[0] as Webhook;

async function webhookViews(ctx: Context, rows: readonly WebhookRow[]): Promise<Webhook[]> {
	const ids = rows.map(({ id }) => id);
	const counts =
		ids.length === 0
			? []
			: await ctx.db
					.selectFrom("webhookDelivery")
					.select(({ fn }) => ["webhookId", fn.countAll<number>().as("count")])
					.where("webhookId", "in", ids)
					.where("nextAt", "is not", null)
					.groupBy("webhookId")
					.execute();
	const waiting = new Map(counts.map(({ webhookId, count }) => [webhookId, Number(count)]));
	return rows.map((row) => ({
		id: row.id,
		url: row.url,
		events: JSON.parse(row.events) as WebhookEvent[],
		q: row.q,
		kind: row.kind,
		onlyNew: row.onlyNew === 1,
		hasBotToken: row.botTokenSealed !== null,
		paused: row.pausedAt !== null,
		pausedBecause: row.pausedBecause,
		previousSecretUntil: timestampOrNull(
			row.previousSecretUntil !== null && row.previousSecretUntil > ctx.clock.now() ? row.previousSecretUntil : null,
		),
		waiting: waiting.get(row.id) ?? 0,
		createdBy: row.createdBy,
		createdAt: timestamp(row.createdAt),
	}));
}
