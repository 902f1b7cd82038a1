/**
 * The OpenID provider as better-auth's generic provider, with the checks that better-auth leaves out: the issuer of the
 * discovery document, claims that every ID token must have, whose user info it is, and a limit on how long an answer
 * may take.
 */
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { Log } from "#lib/core/context.ts";

/** The provider's id: part of the callback path, which operators register with their provider. */
export const SSO_PROVIDER_ID = "oidc";
const ANSWER_SECONDS = 5;

export interface OpenIdClient {
	/** Base of `/.well-known/openid-configuration`. */
	issuer: string;
	clientId: string;
	clientSecret: string;
	/** The name on the button. */
	name: string;
}

type Plugin = ReturnType<typeof genericOAuth>;
type Provider = Awaited<ReturnType<Plugin["init"]>>["context"]["socialProviders"][number];
type Claims = Record<string, unknown>;

/**
 * Authorization code flow with PKCE, state and nonce. When the provider cannot be used, the plugin registers none and
 * logs why.
 *
 * @param nameOf a person's name from the provider's claims.
 */
export function openIdPlugin(client: OpenIdClient, nameOf: (profile: Claims) => string, log?: Log): Plugin {
	const generic = genericOAuth({
		config: [
			{
				providerId: SSO_PROVIDER_ID,
				name: client.name,
				discoveryUrl: `${withoutSlash(client.issuer)}/.well-known/openid-configuration`,
				clientId: client.clientId,
				clientSecret: client.clientSecret,
				authentication: "basic",
				scopes: ["openid", "profile", "email"],
				pkce: true,
				requireIdTokenVerification: true,
				mapProfileToUser: (profile) => ({
					name: nameOf(profile),
					// Some providers send it as a string.
					emailVerified: profile.email_verified === true || profile.email_verified === "true",
				}),
			},
		],
	});
	const warn = (reason: string, data: object = {}) => log?.warn({ component: "auth", ...data }, reason);
	return {
		...generic,
		async init(ctx) {
			const socialProviders: Provider[] = [];
			try {
				const { context } = await inTime(generic.init(ctx), "Discovery");
				const provider = context.socialProviders.find(({ id }) => id === SSO_PROVIDER_ID);
				// OpenID Connect Discovery 4.3. Operators often leave out a trailing slash, which names no other issuer.
				if (provider?.issuer !== undefined && withoutSlash(provider.issuer) === withoutSlash(client.issuer)) {
					socialProviders.push(guarded(provider, client.clientId, warn));
				} else if (provider !== undefined) {
					const issuers = { configured: client.issuer, discovered: provider.issuer };
					warn("the discovery document's issuer is not TAPEDECK_OIDC_ISSUER: single sign-on is unavailable", issuers);
				}
			} catch (error) {
				warn("the discovery document could not be read: single sign-on is unavailable", { err: error });
			}
			return { context: { socialProviders } };
		},
	};
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

function guarded(provider: Provider, clientId: string, warn: (reason: string, data?: object) => void): Provider {
	const verification = provider.idToken;
	if (verification === undefined || "verify" in verification) {
		throw new Error("better-auth no longer verifies ID tokens by discovery");
	}
	const expected: Expected = { issuer: provider.issuer, clientId };
	verification.verifyClaims = (claims) => faultOf(claims, expected) === null;
	return {
		...provider,
		// better-auth would accept an ID token sent to /sign-in/social or /link-social, without state and nonce.
		idToken: undefined,
		async validateAuthorizationCode(data) {
			try {
				return await inTime(provider.validateAuthorizationCode(data), "The token endpoint");
			} catch (error) {
				warn("the provider's token endpoint did not accept the sign-in", { err: error });
				throw error;
			}
		},
		async getUserInfo(tokens) {
			const { idToken, expectedIdTokenNonce } = tokens;
			const refuse = (reason: string): null => {
				warn(reason);
				return null;
			};
			// better-auth would trust the user info alone.
			if (!idToken) return refuse("the provider sent no ID token");
			const claims = claimsOf(idToken);
			const found = await inTime(provider.getUserInfo(tokens), "The user info endpoint").catch((error) => {
				warn("the provider's user info could not be read", { err: error });
				return null;
			});
			const fault = claims === null ? "it is not a JWT" : faultOf(claims, { ...expected, nonce: expectedIdTokenNonce });
			if (found === null) {
				const reason =
					fault ?? "its signature matches no published key, or the keys or the user info could not be read";
				return refuse(`the provider's ID token was refused: ${reason}`);
			}
			// OpenID Connect Core 5.3.2: without this check, another person's access token would sign that person in.
			if ((found.data as Claims).sub !== claims?.sub) {
				return refuse("the provider's user info was refused: it is about another subject than the ID token");
			}
			return found;
		},
	};
}

interface Expected {
	issuer: string | undefined;
	clientId: string;
	nonce?: string | undefined;
}

/**
 * Returns the fault in an ID token's claims, by OpenID Connect Core 3.1.3.7; null without one. better-auth compares
 * issuer, audience, times and nonce too, but does not say which of them differs, and accepts a token without `exp`.
 */
function faultOf(claims: Claims, { issuer, clientId, nonce }: Expected): string | null {
	const now = Date.now() / 1000;
	if (claims.iss !== issuer) return "it is from another issuer";
	if (![claims.aud].flat().includes(clientId)) return "its audience is another application";
	if (claims.azp !== undefined && claims.azp !== clientId) return "its authorized party is another application";
	if (typeof claims.sub !== "string" || claims.sub === "") return "it has no subject";
	if (typeof claims.exp !== "number") return "it has no expiry";
	if (claims.exp <= now) return "it has expired, or the clocks differ";
	if (typeof claims.nbf === "number" && claims.nbf > now) return "it is not valid yet, or the clocks differ";
	if (nonce !== undefined && claims.nonce !== nonce) return "its nonce is not that of this sign-in";
	return null;
}

/** The claims of a token that is not verified yet; null if it is not a JWT. */
function claimsOf(idToken: string): Claims | null {
	try {
		const claims: unknown = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
		return typeof claims === "object" ? (claims as Claims | null) : null;
	} catch {
		return null;
	}
}

/** @throws when the provider has not answered in time. */
async function inTime<T>(answer: Promise<T>, who: string): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`${who} did not answer within ${ANSWER_SECONDS} seconds`)),
			ANSWER_SECONDS * 1000,
		);
	});
	return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
