import { assertMayAdminister } from "../../core/access.ts";
import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { notFound } from "../../core/errors.ts";
import { inTransaction } from "../../core/in-transaction.ts";
import { forgetCredentials } from "../credential-cache.ts";
import type { CredentialTable } from "../last-use.ts";

const WORDS = { apiKey: "API key", runnerToken: "runner token" } as const;
const ACTIONS = { apiKey: "api_key.revoked", runnerToken: "runner_token.revoked" } as const;

/**
 * Ends an API key or a runner token: the next call with it is refused, and what waits or streams with it ends.
 * @throws forbidden for everyone but owners and admins; not_found when the organization has no such one, or no more.
 */
export async function revokeCredential(ctx: Context, table: CredentialTable, id: number): Promise<void> {
	assertMayAdminister(ctx);
	await inTransaction(ctx, async (ctx) => {
		// Both tables have these columns; Kysely's types follow one table at a time.
		const revoked = await ctx.db
			.updateTable(table as "runnerToken")
			.set({ revokedAt: ctx.clock.now() })
			.where("id", "=", id)
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("revokedAt", "is", null)
			.returning(["id", "name"])
			.executeTakeFirst();
		if (revoked === undefined) throw notFound(WORDS[table]);
		await audit(ctx, { action: ACTIONS[table], target: { kind: table, id, name: revoked.name } });
	});
	forgetCredentials(ctx.db);
}

/**
 * Ends the API keys that a person made for the actor's organization, for good: part of ending a membership, in the
 * same transaction. Call forgetCredentials after it.
 */
export async function revokeKeysOf(ctx: Context, userId: number): Promise<void> {
	const revoked = await ctx.db
		.updateTable("apiKey")
		.set({ revokedAt: ctx.clock.now() })
		.where("createdByUserId", "=", userId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("revokedAt", "is", null)
		.returning(["id", "name"])
		.execute();
	for (const { id, name } of revoked) {
		const target = { kind: "apiKey", id, name } as const;
		await audit(ctx, { action: ACTIONS.apiKey, target, detail: { because: "its maker left" } });
	}
}
