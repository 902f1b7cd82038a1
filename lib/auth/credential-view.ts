/** A key or token as answers show it: never its hash, never its secret. */
import type { Selectable } from "kysely";
import type { Credential } from "../contract/organization.ts";
import type { ApiKeyTable } from "../db/schema.ts";

type Row = Pick<Selectable<ApiKeyTable>, "id" | "name" | "prefix" | "createdAt" | "lastUsedAt"> & {
	expiresAt?: number | null;
};

const instant = (at: number | null | undefined): string | null =>
	at === null || at === undefined ? null : new Date(at).toISOString();

export const credentialView = (row: Row): Credential => ({
	id: row.id,
	name: row.name,
	prefix: row.prefix,
	createdAt: new Date(row.createdAt).toISOString(),
	lastUsedAt: instant(row.lastUsedAt),
	expiresAt: instant(row.expiresAt),
});
