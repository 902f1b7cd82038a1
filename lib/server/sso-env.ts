/** The environment variables of single sign-on. */
import { ROLES } from "@tapedeck/contract/permissions.ts";
import * as z from "zod";
import type { SingleSignOn } from "#lib/auth/sign-in/single-sign-on.ts";

const text = z.string().trim().min(1).max(500).optional();
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const ssoVariables = {
	TAPEDECK_OIDC_ISSUER: z
		.url({
			protocol: /^https?$/,
			error: "TAPEDECK_OIDC_ISSUER must be the provider's address, such as https://login.example.com.",
		})
		// A value that is no URL has its own message.
		.refine(
			(issuer) => !URL.canParse(issuer) || issuer.startsWith("https:") || LOOPBACK.test(new URL(issuer).hostname),
			{ error: "TAPEDECK_OIDC_ISSUER must begin with https://." },
		)
		.optional(),
	TAPEDECK_OIDC_CLIENT_ID: text,
	TAPEDECK_OIDC_CLIENT_SECRET: text,
	TAPEDECK_OIDC_NAME: z
		.string()
		.trim()
		.min(1)
		.max(40, { error: "TAPEDECK_OIDC_NAME must have at most 40 characters." })
		.default("single sign-on"),
	TAPEDECK_OIDC_ALLOWED_DOMAINS: z
		.string()
		.default("")
		.transform((list) => list.toLowerCase().split(","))
		.transform((list) => list.map((domain) => domain.trim().replace(/^@/, "")).filter((domain) => domain !== "")),
	TAPEDECK_OIDC_DEFAULT_ROLE: z
		.enum(ROLES, { error: `TAPEDECK_OIDC_DEFAULT_ROLE must be one of ${ROLES.join(", ")}.` })
		.default("member"),
	TAPEDECK_OIDC_ORGANIZATION_ID: z
		.string()
		.regex(/^[1-9]\d{0,15}$/, { error: "TAPEDECK_OIDC_ORGANIZATION_ID must be an organization's id, such as 1." })
		.transform(Number)
		.optional(),
};

type Variables = z.output<z.ZodObject<typeof ssoVariables>>;

/** @throws an Error when only some of the variables that belong together are set. */
export function singleSignOnOf(env: Variables): SingleSignOn | null {
	const { TAPEDECK_OIDC_ISSUER, TAPEDECK_OIDC_CLIENT_ID, TAPEDECK_OIDC_CLIENT_SECRET } = env;
	const needed = { TAPEDECK_OIDC_ISSUER, TAPEDECK_OIDC_CLIENT_ID, TAPEDECK_OIDC_CLIENT_SECRET };
	const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
	if (missing.length === 3) return null;
	if (!TAPEDECK_OIDC_ISSUER || !TAPEDECK_OIDC_CLIENT_ID || !TAPEDECK_OIDC_CLIENT_SECRET) {
		throw new Error(`Single sign-on also needs ${missing.join(" and ")}. Set all three, or none.`);
	}
	return {
		issuer: TAPEDECK_OIDC_ISSUER,
		clientId: TAPEDECK_OIDC_CLIENT_ID,
		clientSecret: TAPEDECK_OIDC_CLIENT_SECRET,
		name: env.TAPEDECK_OIDC_NAME,
		allowedDomains: env.TAPEDECK_OIDC_ALLOWED_DOMAINS,
		defaultRole: env.TAPEDECK_OIDC_DEFAULT_ROLE,
		organizationId: env.TAPEDECK_OIDC_ORGANIZATION_ID ?? null,
	};
}
