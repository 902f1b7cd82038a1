import type { Credential, ListCredentialsQuery } from "../contract/organization.ts";
import type { Page } from "../contract/page.ts";
import { assertMayAdminister } from "../core/access.ts";
import type { Context } from "../core/context.ts";
import { pageFrom, readCursor } from "../core/cursor.ts";
import { credentialView } from "./credential-view.ts";
import type { CredentialTable } from "./last-use.ts";

/**
 * The organization's API keys or runner tokens that are not revoked, newest first.
 * @throws forbidden for everyone but owners and admins; validation_failed at `cursor`.
 */
export async function listCredentials(
	ctx: Context,
	table: CredentialTable,
	query: ListCredentialsQuery,
): Promise<Page<Credential>> {
	assertMayAdminister(ctx);
	// Both tables have these columns; Kysely's types follow one table at a time.
	let rows = ctx.db
		.selectFrom(table as "runnerToken")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("revokedAt", "is", null)
		.orderBy("id", "desc")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("id", "<", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, credentialView);
}
