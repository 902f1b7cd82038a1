/** Single sign-on by OpenID Connect: better-auth's generic provider with our rules of who comes in, and where. */
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { Role } from "../contract/organization.ts";
import { fittingName } from "../contract/plain-text.ts";
import type { Database, Log } from "../core/context.ts";
import { insertMember } from "./better-auth/account-rows.ts";
import { accountTables } from "./better-auth/account-tables.ts";
import { forgetCredentials } from "./credential-cache.ts";

/** The provider's id: part of the callback's path, which operators register with their provider. */
export const SSO_PROVIDER_ID = "oidc";

export interface SingleSignOn {
	/** Base of `/.well-known/openid-configuration`. */
	issuer: string;
	clientId: string;
	clientSecret: string;
	/** What the button says. */
	name: string;
	/** In lower case; empty lets every domain in. */
	allowedDomains: readonly string[];
	/** Of those who come for the first time. */
	defaultRole: Role;
	/** The organization that they come into; null for the oldest. */
	organizationId: number | null;
}

/** Why a sign-in was refused, as `error` of the address that the browser is sent back to. */
export type SsoRefusal = "email_not_verified" | "domain_not_allowed" | "no_organization";

interface ProvidedUser {
	email?: string;
	emailVerified?: boolean;
}

/** Authorization code with PKCE, state and nonce; the ID token's signature, issuer and audience are verified. */
export const ssoPlugin = (sso: SingleSignOn) =>
	genericOAuth({
		config: [
			{
				providerId: SSO_PROVIDER_ID,
				name: sso.name,
				discoveryUrl: `${sso.issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`,
				clientId: sso.clientId,
				clientSecret: sso.clientSecret,
				authentication: "basic",
				scopes: ["openid", "profile", "email"],
				pkce: true,
				requireIdTokenVerification: true,
				mapProfileToUser: (profile) => ({
					name: nameOf(profile),
					// Some providers send it as text.
					emailVerified: profile.email_verified === true || profile.email_verified === "true",
				}),
			},
		],
	});

const nameOf = (profile: Record<string, unknown>): string => {
	const told = [profile.name, profile.preferred_username, String(profile.email ?? "").split("@")[0]];
	const names = told.map((one) => (typeof one === "string" ? fittingName(one, 100) : ""));
	return names.find((name) => name !== "") ?? "Somebody";
};

/** Asked at every sign-in through the provider, the first and all later ones. */
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

/** Takes a user whom the provider brought for the first time into the organization. Who was removed is not let in again. */
export async function admitNewUser(
	deps: { db: Database; log?: Log },
	sso: SingleSignOn,
	userId: number,
): Promise<void> {
	const organizationId = await organizationOf(deps.db, sso);
	if (organizationId === null) return;
	await insertMember(accountTables(deps.db), { organizationId, userId, role: sso.defaultRole }, Date.now());
	forgetCredentials(deps.db);
	deps.log?.info({ userId, organizationId, role: sso.defaultRole }, "single sign-on brought a new member");
}

async function organizationOf(db: Database, sso: SingleSignOn): Promise<number | null> {
	let rows = db.selectFrom("organization").select("id").orderBy("id").limit(1);
	if (sso.organizationId !== null) rows = rows.where("id", "=", sso.organizationId);
	return (await rows.executeTakeFirst())?.id ?? null;
}
