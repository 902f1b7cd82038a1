/** A key or token as answers show it: never its hash, never its secret. */
import type { Selectable } from "kysely";
import type { ApiKey, Credential } from "../../contract/credential.ts";
import { type Role, SCOPES, type Scope } from "../../contract/organization.ts";
import type { Database } from "../../core/context.ts";
import type { ApiKeyTable, RunnerTokenTable } from "../../db/schema.ts";

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export const credentialView = (row: Selectable<ApiKeyTable> | Selectable<RunnerTokenTable>): Credential => ({
	id: row.id,
	name: row.name,
	prefix: row.prefix,
	createdAt: new Date(row.createdAt).toISOString(),
	lastUsedAt: instant(row.lastUsedAt),
	expiresAt: instant(row.expiresAt),
});

/** The scopes that a row keeps; what this version does not know is left out. */
export function scopesIn(text: string): Scope[] {
	const kept: unknown = JSON.parse(text);
	return Array.isArray(kept) ? SCOPES.filter((scope) => kept.includes(scope)) : [];
}

/** API keys with whose they are. */
export const selectApiKeys = (db: Database) =>
	db
		.selectFrom("apiKey")
		.leftJoin("member", (join) =>
			join
				.onRef("member.userId", "=", "apiKey.createdByUserId")
				.onRef("member.organizationId", "=", "apiKey.organizationId"),
		)
		.leftJoin("user", "user.id", "member.userId")
		.selectAll("apiKey")
		.select(["member.role as makerRole", "user.name as makerName"]);

type ApiKeyRow = Selectable<ApiKeyTable> & { makerRole: Role | null; makerName: string | null };

export const apiKeyView = (row: ApiKeyRow): ApiKey => ({
	...credentialView(row),
	scopes: scopesIn(row.scopes),
	createdBy:
		row.createdByUserId === null || row.makerRole === null
			? null
			: { id: row.createdByUserId, name: row.makerName ?? "", role: row.makerRole },
});
