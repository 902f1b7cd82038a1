/** Keys and tokens as responses show them: without hash or secret. */
import type { ApiKey, Credential, RunnerToken } from "@tapedeck/contract/credential.ts";
import { CAPABILITIES, type Capability, type Role, SCOPES, type Scope } from "@tapedeck/contract/permissions.ts";
import type { TokenLimits } from "@tapedeck/contract/token-limits.ts";
import type { Selectable } from "kysely";
import type { Database } from "#lib/core/context.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { ApiKeyTable, RunnerTokenTable } from "#lib/db/schema.ts";

const credentialView = (row: Selectable<ApiKeyTable> | Selectable<RunnerTokenTable>): Credential => ({
	id: row.id,
	name: row.name,
	prefix: row.prefix,
	createdAt: timestamp(row.createdAt),
	lastUsedAt: timestampOrNull(row.lastUsedAt),
	expiresAt: timestampOrNull(row.expiresAt),
});

/** Parses stored scopes; unknown ones, written by another version, are dropped. */
export function scopesIn(text: string): Scope[] {
	const stored: unknown = JSON.parse(text);
	return Array.isArray(stored) ? SCOPES.filter((scope) => stored.includes(scope)) : [];
}

/** Parses stored capabilities; null for all of them. */
export function capabilitiesIn(text: string | null): Capability[] | null {
	const stored: unknown = JSON.parse(text ?? "null");
	return Array.isArray(stored) ? CAPABILITIES.filter((one) => stored.includes(one)) : null;
}

/** Runner tokens with the number of their runners. */
export const selectRunnerTokens = (db: Database) =>
	db
		.selectFrom("runnerToken")
		.selectAll("runnerToken")
		.select(({ selectFrom, fn }) =>
			selectFrom("runner")
				.select(fn.countAll<number>().as("count"))
				.where("runner.tokenId", "=", fn.coalesce("runnerToken.familyId", "runnerToken.id"))
				.where("runner.removedAt", "is", null)
				.as("runnerCount"),
		);

export const NO_LIMITS: TokenLimits = {
	maxRunners: null,
	enrollUntil: null,
	namePattern: null,
	labels: {},
	displays: null,
	grids: null,
	capabilities: null,
};

export function runnerTokenView(row: Selectable<RunnerTokenTable> & { runnerCount: number | null }): RunnerToken {
	const limits = row.limits === null ? NO_LIMITS : (JSON.parse(row.limits) as TokenLimits);
	return {
		...credentialView(row),
		...NO_LIMITS,
		...limits,
		capabilities: limits.capabilities ?? null,
		runnerCount: Number(row.runnerCount ?? 0),
		enrollUntil: timestampOrNull(limits.enrollUntil),
	};
}

/** API keys with their creator and the creator's role. */
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
		.select(["member.role as creatorRole", "user.name as creatorName"]);

type ApiKeyRow = Selectable<ApiKeyTable> & { creatorRole: Role | null; creatorName: string | null };

export const apiKeyView = (row: ApiKeyRow): ApiKey => ({
	...credentialView(row),
	scopes: scopesIn(row.scopes),
	capabilities: capabilitiesIn(row.capabilities),
	createdBy:
		row.createdByUserId === null || row.creatorRole === null
			? null
			: { id: row.createdByUserId, name: row.creatorName ?? "", role: row.creatorRole },
});
