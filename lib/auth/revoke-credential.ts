import { assertMayAdminister } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import { forgetCredentials } from "./credential-cache.ts";
import type { CredentialTable } from "./last-use.ts";

const WORDS: Record<CredentialTable, string> = { apiKey: "API key", runnerToken: "runner token" };

/**
 * Ends an API key or a runner token: the next call with it is refused.
 * @throws forbidden for everyone but owners and admins; not_found when the organization has no such one, or no more.
 */
export async function revokeCredential(ctx: Context, table: CredentialTable, id: number): Promise<void> {
	assertMayAdminister(ctx);
	// Both tables have these columns; Kysely's types follow one table at a time.
	const revoked = await ctx.db
		.updateTable(table as "runnerToken")
		.set({ revokedAt: ctx.clock.now() })
		.where("id", "=", id)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("revokedAt", "is", null)
		.returning("id")
		.executeTakeFirst();
	if (revoked === undefined) throw notFound(WORDS[table]);
	forgetCredentials(ctx.db);
}
