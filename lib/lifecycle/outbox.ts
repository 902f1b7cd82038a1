/** Events for webhooks, as rows in the transaction of the change that they tell of: both are committed or neither. */
import type { WebhookEvent } from "@tapedeck/contract/webhook-events.ts";
import type { Context } from "#lib/core/context.ts";

/** Rows of one statement: SQLite has at most 32,766 parameters. */
const ROWS_AT_ONCE = 1_000;

/**
 * Adds an event for each subject. Without a webhook in the organization nothing is written.
 * @param ctx its database must be the transaction of the change.
 * @param subjects ids of what it happened to, or names of builds.
 * @param delayMs how long it waits, for what may turn out to be different in the meantime.
 */
export async function noteEvents(
	ctx: Pick<Context, "db" | "clock">,
	type: WebhookEvent,
	organizationId: number,
	subjects: readonly (number | string)[],
	delayMs = 0,
): Promise<void> {
	if (subjects.length === 0) return;
	const webhook = await ctx.db
		.selectFrom("webhook")
		.select("id")
		.where("organizationId", "=", organizationId)
		// A list of plain words in JSON.
		.where("events", "like", `%"${type}"%`)
		.limit(1)
		.executeTakeFirst();
	if (webhook === undefined) return;
	const at = ctx.clock.now();
	for (let from = 0; from < subjects.length; from += ROWS_AT_ONCE) {
		const rows = subjects.slice(from, from + ROWS_AT_ONCE);
		await ctx.db
			.insertInto("webhookEvent")
			.values(rows.map((subject) => ({ organizationId, type, subject: `${subject}`, at, dueAt: at + delayMs })))
			.execute();
	}
}
