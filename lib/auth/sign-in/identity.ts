/** Describes the caller to itself (`GET /v1/me`). */
import type { ApiKeyIdentity, SessionUser } from "@tapedeck/contract/identity.ts";
import { scopesOfRole } from "@tapedeck/contract/permissions.ts";
import type { Actor, Database } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestampOrNull } from "#lib/core/times.ts";
import { accountTables } from "../better-auth/account-tables.ts";

/** The signed-in user with all of their organizations, in the order of joining. */
export async function sessionUser(
	{ db }: { db: Database },
	actor: Extract<Actor, { kind: "user" }>,
): Promise<SessionUser> {
	const rows = await accountTables(db)
		.selectFrom("member")
		.innerJoin("user", "user.id", "member.userId")
		.innerJoin("organization", "organization.id", "member.organizationId")
		.select(["user.name", "user.email", "user.twoFactorEnabled", "member.role", "organization.id as organizationId"])
		.select("organization.name as organizationName")
		.leftJoin("recordingSettings", "recordingSettings.organizationId", "organization.id")
		.select("recordingSettings.commitUrlTemplate")
		.leftJoin("organizationDeletion", "organizationDeletion.organizationId", "organization.id")
		.select("organizationDeletion.deleteAt")
		.where("member.userId", "=", actor.userId)
		.orderBy("member.id")
		.execute();
	const accounts = await accountTables(db)
		.selectFrom("account")
		.select("providerId")
		.where("userId", "=", actor.userId)
		.execute();
	const current = rows.find((row) => row.organizationId === actor.organizationId);
	if (current === undefined) throw notFound("membership");
	return {
		userId: actor.userId,
		name: current.name,
		email: current.email,
		role: current.role,
		organizationId: current.organizationId,
		organizationName: current.organizationName,
		organizationDeleteAt: timestampOrNull(current.deleteAt),
		commitUrlTemplate: current.commitUrlTemplate,
		organizations: rows.map((row) => ({ id: row.organizationId, name: row.organizationName, role: row.role })),
		signInMethods: accounts.map(({ providerId }) => (providerId === "credential" ? "password" : "singleSignOn")),
		secondFactor: Boolean(current.twoFactorEnabled),
	};
}

export async function apiKeyIdentity(
	{ db }: { db: Database },
	actor: Extract<Actor, { kind: "apiKey" }>,
): Promise<ApiKeyIdentity> {
	const organization = await db
		.selectFrom("organization")
		.select("name")
		.where("id", "=", actor.organizationId)
		.executeTakeFirst();
	if (organization === undefined) throw notFound("organization");
	const usable = actor.creatorRole === null ? actor.scopes : scopesOfRole(actor.creatorRole);
	return {
		kind: "apiKey",
		apiKeyId: actor.apiKeyId,
		name: actor.name,
		scopes: actor.scopes.filter((scope) => usable.includes(scope)),
		organizationId: actor.organizationId,
		organizationName: organization.name,
	};
}
