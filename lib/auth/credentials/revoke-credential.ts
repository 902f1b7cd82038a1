import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { CredentialTable } from "./last-use.ts";

const WORDS = { apiKey: "API key", runnerToken: "runner token" } as const;
const ACTIONS = { apiKey: "api_key.revoked", runnerToken: "runner_token.revoked" } as const;

/**
 * Revokes an API key or runner token: its next call is refused, and its open calls and streams end.
 * @throws not_found when the organization has no such key or token, or it is already revoked.
 */
export async function revokeCredential(ctx: Context, table: CredentialTable, id: number): Promise<void> {
	await inTransaction(ctx, async (ctx) => {
		// Both tables have these columns, but Kysely's types cover one table at a time.
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
	ctx.credentials.forget();
}

/**
 * Permanently revokes the API keys that a person created for the actor's organization: part of ending a membership, in
 * the same transaction. Call `credentials.forget` after the commit.
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
		await audit(ctx, { action: ACTIONS.apiKey, target, detail: { because: "its creator left" } });
	}
}
