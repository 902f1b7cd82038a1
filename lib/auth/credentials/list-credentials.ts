import type { ApiKey, ListCredentialsQuery, RunnerToken } from "@tapedeck/contract/credential.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { apiKeyView, runnerTokenView, selectApiKeys, selectRunnerTokens } from "./credential-view.ts";

/**
 * The organization's API keys that are not revoked, newest first, including expired ones.
 * @throws validation_failed at `cursor`.
 */
export async function listApiKeys(ctx: Context, query: ListCredentialsQuery): Promise<Page<ApiKey>> {
	let rows = selectApiKeys(ctx.db)
		.where("apiKey.organizationId", "=", ctx.actor.organizationId)
		.where("apiKey.revokedAt", "is", null)
		// Keys end with their creator's membership.
		.where((key) => key.or([key("apiKey.createdByUserId", "is", null), key("member.id", "is not", null)]))
		.orderBy("apiKey.id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("apiKey.id", "<", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, apiKeyView);
}

/**
 * The organization's runner tokens that still work, newest first.
 * @throws validation_failed at `cursor`.
 */
export async function listRunnerTokens(ctx: Context, query: ListCredentialsQuery): Promise<Page<RunnerToken>> {
	let rows = selectRunnerTokens(ctx.db)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("revokedAt", "is", null)
		.where((token) => token.or([token("expiresAt", "is", null), token("expiresAt", ">", ctx.clock.now())]))
		.orderBy("id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("id", "<", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, runnerTokenView);
}
