/** Single sign-on by OpenID Connect: who gets in, into which organization and with which role. */
import type { Role } from "@tapedeck/contract/permissions.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, type Database, inTransaction, type Log } from "#lib/core/context.ts";
import { insertMember } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import { membersChanged } from "../members/membership.ts";
import { type OpenIdClient, openIdPlugin } from "./openid-provider.ts";

export interface SingleSignOn extends OpenIdClient {
	/** In lower case; empty allows every domain. */
	allowedDomains: readonly string[];
	/** Given at the first sign-in. */
	defaultRole: Role;
	/** The organization that new users join; null for the oldest. */
	organizationId: number | null;
}

/** Why a sign-in was refused; sent as `error` in the URL that the browser is redirected to. */
export type SsoRefusal = "email_not_verified" | "domain_not_allowed" | "no_organization";

interface ProvidedUser {
	email?: string;
	emailVerified?: boolean;
}

/** The plugin that signs in through the provider. */
export const ssoPlugin = (sso: SingleSignOn, log?: Log) => openIdPlugin(sso, nameOf, log);

const nameOf = (profile: Record<string, unknown>): string => {
	const candidates = [profile.name, profile.preferred_username, String(profile.email ?? "").split("@")[0]];
	const names = candidates.map((one) => (typeof one === "string" ? sanitizeName(one, 100) : ""));
	return names.find((name) => name !== "") ?? "Somebody";
};

/** Checked at every sign-in through the provider, not just the first. */
export async function refusalOf(
	db: Database,
	sso: SingleSignOn,
	user: ProvidedUser,
): Promise<{ error: SsoRefusal } | undefined> {
	if (user.emailVerified !== true) return { error: "email_not_verified" };
	const domain = (user.email ?? "").toLowerCase().split("@").at(-1) ?? "";
	if (sso.allowedDomains.length > 0 && !sso.allowedDomains.includes(domain)) return { error: "domain_not_allowed" };
	return (await organizationOf(db, sso)) === null ? { error: "no_organization" } : undefined;
}

/** Adds a user to the organization at the first sign-in through the provider. Removed members are not added again. */
export async function admitNewUser(
	deps: Pick<Context, "db" | "clock" | "credentials" | "events" | "address"> & { log?: Log },
	sso: SingleSignOn,
	{ userId, name }: { userId: number; name: string },
): Promise<void> {
	const organizationId = await organizationOf(deps.db, sso);
	if (organizationId === null) return;
	const role = sso.defaultRole;
	const actor = { kind: "user", organizationId, userId, name, role } as const;
	await inTransaction({ ...deps, actor }, async (ctx) => {
		await insertMember(accountTables(ctx.db), { organizationId, userId, role }, ctx.clock.now());
		const target = { kind: "user", id: userId, name } as const;
		await audit(ctx, { action: "member.joined", target, detail: { role, via: "single sign-on" } });
	});
	membersChanged(deps, organizationId);
	deps.log?.info({ userId, organizationId, role }, "a new member joined by single sign-on");
}

async function organizationOf(db: Database, sso: SingleSignOn): Promise<number | null> {
	let rows = db.selectFrom("organization").select("id").orderBy("id").limit(1);
	if (sso.organizationId !== null) rows = rows.where("id", "=", sso.organizationId);
	return (await rows.executeTakeFirst())?.id ?? null;
}
