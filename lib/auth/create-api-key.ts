import { type NewCredential, SCOPES } from "../contract/organization.ts";
import { assertMayAdminister } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { hashSecret, makeSecret, prefixOf } from "./credential-secret.ts";
import { credentialView } from "./credential-view.ts";

/**
 * Makes an API key of the caller's organization, with every scope and without an expiry.
 * @returns the key, with its secret: the only time that it is shown.
 * @throws forbidden for everyone but owners and admins.
 */
export async function createApiKey(ctx: Context, input: { name: string }): Promise<NewCredential> {
	assertMayAdminister(ctx);
	const secret = makeSecret("tdk");
	const row = await ctx.db
		.insertInto("apiKey")
		.values({
			organizationId: ctx.actor.organizationId,
			name: input.name,
			prefix: prefixOf(secret),
			hash: hashSecret(secret),
			scopes: JSON.stringify(SCOPES),
			createdByUserId: ctx.actor.kind === "user" ? ctx.actor.userId : null,
			createdAt: ctx.clock.now(),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	return { ...credentialView(row), secret };
}
