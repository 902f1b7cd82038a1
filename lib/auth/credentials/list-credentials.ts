import type { ApiKey, Credential, ListCredentialsQuery } from "../../contract/credential.ts";
import type { Page } from "../../contract/page.ts";
import { assertMayAdminister } from "../../core/access.ts";
import type { Context } from "../../core/context.ts";
import { pageFrom, readCursor } from "../../core/cursor.ts";
import { apiKeyView, credentialView, selectApiKeys } from "./credential-view.ts";

/**
 * The organization's API keys that are not revoked, newest first; those that have expired stay in sight.
 * @throws forbidden for everyone but owners and admins; validation_failed at `cursor`.
 */
export async function listApiKeys(ctx: Context, query: ListCredentialsQuery): Promise<Page<ApiKey>> {
	assertMayAdminister(ctx);
	let rows = selectApiKeys(ctx.db)
		.where("apiKey.organizationId", "=", ctx.actor.organizationId)
		.where("apiKey.revokedAt", "is", null)
		// A key is gone with its maker's membership.
		.where((key) => key.or([key("apiKey.createdByUserId", "is", null), key("member.id", "is not", null)]))
		.orderBy("apiKey.id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("apiKey.id", "<", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, apiKeyView);
}

/**
 * The organization's runner tokens that still work, newest first.
 * @throws as listApiKeys.
 */
export async function listRunnerTokens(ctx: Context, query: ListCredentialsQuery): Promise<Page<Credential>> {
	assertMayAdminister(ctx);
	let rows = ctx.db
		.selectFrom("runnerToken")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("revokedAt", "is", null)
		.where((token) => token.or([token("expiresAt", "is", null), token("expiresAt", ">", ctx.clock.now())]))
		.orderBy("id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("id", "<", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, credentialView);
}
