import type { CreateApiKey, NewApiKey } from "../../contract/credential.ts";
import { SCOPES } from "../../contract/organization.ts";
import { assertMayAdminister } from "../../core/access.ts";
import { audit } from "../../core/audit.ts";
import type { Context } from "../../core/context.ts";
import { invalid } from "../../core/errors.ts";
import { inTransaction } from "../../core/in-transaction.ts";
import { hashSecret, makeSecret, prefixOf } from "../credential-secret.ts";
import { apiKeyView, selectApiKeys } from "./credential-view.ts";

/**
 * Makes an API key of the caller's organization: with every scope and without an expiry unless told.
 * @returns the key, with its secret: the only time that it is shown.
 * @throws forbidden for everyone but owners and admins; validation_failed for an expiry that has passed.
 */
export async function createApiKey(ctx: Context, input: CreateApiKey): Promise<NewApiKey> {
	assertMayAdminister(ctx);
	const now = ctx.clock.now();
	const expiresAt = input.expiresAt == null ? null : Date.parse(input.expiresAt);
	if (expiresAt !== null && expiresAt <= now) {
		throw invalid({ path: "expiresAt", code: "too_small", message: "Send a time that is still to come, or null." });
	}
	const scopes = SCOPES.filter((scope) => input.scopes === undefined || input.scopes.includes(scope));
	const secret = makeSecret("tdk");
	return inTransaction(ctx, async (ctx) => {
		const { id } = await ctx.db
			.insertInto("apiKey")
			.values({
				organizationId: ctx.actor.organizationId,
				name: input.name,
				prefix: prefixOf(secret),
				hash: hashSecret(secret),
				scopes: JSON.stringify(scopes),
				createdByUserId: ctx.actor.kind === "user" ? ctx.actor.userId : null,
				createdAt: now,
				expiresAt,
			})
			.returning("id")
			.executeTakeFirstOrThrow();
		await audit(ctx, {
			action: "api_key.created",
			target: { kind: "apiKey", id, name: input.name },
			detail: { scopes, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() },
		});
		const row = await selectApiKeys(ctx.db).where("apiKey.id", "=", id).executeTakeFirstOrThrow();
		return { ...apiKeyView(row), secret };
	});
}
