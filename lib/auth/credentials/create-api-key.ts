import type { CreateApiKey, NewApiKey } from "@tapedeck/contract/credential.ts";
import { CAPABILITIES, SCOPES } from "@tapedeck/contract/permissions.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { futureExpiry, timestampOrNull } from "#lib/core/times.ts";
import { makeSecret, prefixOf } from "./credential-secret.ts";
import { apiKeyView, selectApiKeys } from "./credential-view.ts";

/**
 * Creates an API key of the caller's organization: by default with every scope and without an expiry.
 * @returns the key with its secret, which is never shown again.
 * @throws validation_failed for an expiry in the past.
 */
export async function createApiKey(ctx: Context, input: CreateApiKey): Promise<NewApiKey> {
	const now = ctx.clock.now();
	const expiresAt = futureExpiry(input.expiresAt, now);
	const scopes = SCOPES.filter((scope) => input.scopes === undefined || input.scopes.includes(scope));
	const capabilities = CAPABILITIES.filter((one) => input.capabilities?.includes(one) ?? true);
	const isLimited = capabilities.length < CAPABILITIES.length;
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
				capabilities: isLimited ? JSON.stringify(capabilities) : null,
				createdByUserId: ctx.actor.kind === "user" ? ctx.actor.userId : null,
				createdAt: now,
				expiresAt,
			})
			.returning("id")
			.executeTakeFirstOrThrow();
		await audit(ctx, {
			action: "api_key.created",
			target: { kind: "apiKey", id, name: input.name },
			detail: { scopes, ...(isLimited ? { capabilities } : {}), expiresAt: timestampOrNull(expiresAt) },
		});
		const row = await selectApiKeys(ctx.db).where("apiKey.id", "=", id).executeTakeFirstOrThrow();
		return { ...apiKeyView(row), secret };
	});
}
