import type { NewCredential } from "../contract/organization.ts";
import { assertMayAdminister } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { hashSecret, makeSecret, prefixOf } from "./credential-secret.ts";
import { credentialView } from "./credential-view.ts";

/**
 * Makes a runner token of the caller's organization.
 * @returns the token, with its secret: the only time that it is shown.
 * @throws forbidden for everyone but owners, admins, and API keys with the scope runners:write.
 */
export async function createRunnerToken(ctx: Context, input: { name: string }): Promise<NewCredential> {
	if (ctx.actor.kind !== "apiKey") assertMayAdminister(ctx);
	else if (!ctx.actor.scopes.includes("runners:write")) {
		throw new TapedeckError("forbidden", "This API key lacks the scope runners:write.");
	}
	const secret = makeSecret("tdr");
	const row = await ctx.db
		.insertInto("runnerToken")
		.values({
			organizationId: ctx.actor.organizationId,
			name: input.name,
			prefix: prefixOf(secret),
			hash: hashSecret(secret),
			createdAt: ctx.clock.now(),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	return { ...credentialView(row), secret };
}
