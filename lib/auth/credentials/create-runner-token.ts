import { audit } from "#lib/audit/write-audit.ts";
import type { NewCredential } from "#lib/contract/credential.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { makeSecret, prefixOf } from "./credential-secret.ts";
import { credentialView } from "./credential-view.ts";

/**
 * Creates a runner token of the caller's organization.
 * @returns the token with its secret, which is never shown again.
 */
export async function createRunnerToken(ctx: Context, input: { name: string }): Promise<NewCredential> {
	return inTransaction(ctx, async (ctx) => {
		const token = await insertRunnerToken(ctx, input.name);
		const target = { kind: "runnerToken", id: token.id, name: token.name } as const;
		await audit(ctx, { action: "runner_token.created", target });
		return token;
	});
}

/** Inserts a token with a new secret. */
export async function insertRunnerToken(ctx: Context, name: string): Promise<NewCredential> {
	const secret = makeSecret("tdr");
	const row = await ctx.db
		.insertInto("runnerToken")
		.values({
			organizationId: ctx.actor.organizationId,
			name,
			prefix: prefixOf(secret),
			hash: hashSecret(secret),
			createdAt: ctx.clock.now(),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	return { ...credentialView(row), secret };
}
