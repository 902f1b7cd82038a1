import type { NewCredential } from "../contract/credential.ts";
import { assertMayAdminister } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { hashSecret, makeSecret, prefixOf } from "./credential-secret.ts";
import { credentialView } from "./credentials/credential-view.ts";

/**
 * Makes a runner token of the caller's organization.
 * @returns the token, with its secret: the only time that it is shown.
 * @throws forbidden for everyone but owners, admins, and API keys with the scope runners:write.
 */
export async function createRunnerToken(ctx: Context, input: { name: string }): Promise<NewCredential> {
	assertMayLetRunnersIn(ctx);
	return inTransaction(ctx, async (ctx) => {
		const token = await insertRunnerToken(ctx, input.name);
		const target = { kind: "runnerToken", id: token.id, name: token.name } as const;
		await audit(ctx, { action: "runner_token.created", target });
		return token;
	});
}

/** @throws forbidden for everyone but owners, admins, and API keys with the scope runners:write. */
export function assertMayLetRunnersIn(ctx: Context): void {
	if (ctx.actor.kind !== "apiKey") assertMayAdminister(ctx);
	else if (!ctx.actor.scopes.includes("runners:write")) {
		throw new TapedeckError("forbidden", "This API key lacks the scope runners:write.");
	}
}

/** A token with a fresh secret. */
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
