/** Wraps better-auth for the dashboard: users, sessions and organizations. */
import { createHmac } from "node:crypto";
import type { NewPasskey, NewSecondFactor, PasskeyOptions } from "@tapedeck/contract/account.ts";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { getSessionCookie } from "better-auth/cookies";
import type { Clock, Database, Log } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import type { CredentialCache } from "../credentials/credential-cache.ts";
import type { LastUses } from "../credentials/last-use.ts";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "../sign-in/client-address.ts";
import { SSO_PROVIDER_ID } from "../sign-in/openid-provider.ts";
import { SignInThrottle } from "../sign-in/throttle.ts";
import { isPasswordOf } from "./account-rows.ts";
import { accountTables } from "./account-tables.ts";
import { type AuthOptions, authOptions, COOKIE_PREFIX } from "./auth-options.ts";
import { NOT_VERIFIED, takesPasskeys } from "./passkeys.ts";

/** Calls that begin single sign-on, and the callback that ends it. */
const SSO_BEGIN = /\/(sign-in\/social|link-social)$/;
const SSO_CALLBACK = /\/callback\/\w+$/;

/** The session that a cookie belongs to. */
export interface Session {
	id: number;
	/** Milliseconds since 1970, accurate to a minute. */
	lastSeenAt: number;
	userId: number;
	name: string;
	email: string;
	activeOrganizationId: number | null;
}

export interface Auth {
	/** Serves everything under /api/auth. Throttles by `peerAddress`, or else by the address that markPeer recorded. */
	handler(request: Request, peerAddress?: string): Promise<Response>;
	/** Origins whose pages may act with a cookie. */
	readonly trustedOrigins: readonly string[];
	/** The code that a first visitor from another machine must enter. Changes only with the secret. */
	readonly setupCode: string;
	/** The signed session token in the request, not yet verified; null if there is none. */
	sessionCookie(headers: RequestHeaders): string | null;
	/** @returns null when there is no session or it has ended. Read-only. */
	session(headers: RequestHeaders): Promise<Session | null>;
	/** Extends a session in use. @returns values of Set-Cookie headers, often none. */
	prolongSession(headers: RequestHeaders): Promise<string[]>;
	/** Signs in. @returns values of Set-Cookie headers. @throws when email or password is wrong. */
	signIn(email: string, password: string, headers: RequestHeaders): Promise<string[]>;
	/**
	 * Whether this is the signed-in user's password; null for a user without one.
	 * @throws too_many_requests after too many wrong passwords.
	 */
	verifyPassword(
		user: Pick<Session, "userId" | "email">,
		password: string,
		headers: RequestHeaders,
	): Promise<boolean | null>;
	/** Begins to add a second factor to the signed-in user's account. The password is checked. */
	beginSecondFactor(password: string, headers: RequestHeaders): Promise<NewSecondFactor>;
	/** Makes it count. @returns values of Set-Cookie headers, or why it does not. */
	confirmSecondFactor(code: string, headers: RequestHeaders): Promise<string[] | "not_begun" | "wrong_code">;
	/** Begins to add a passkey. @returns options for the browser, and values of Set-Cookie headers. */
	beginPasskey(headers: RequestHeaders): Promise<{ options: PasskeyOptions; cookies: string[] }>;
	/** Adds the browser's passkey to the signed-in user's account. @returns its id, or why it was not added. */
	addPasskey(passkey: NewPasskey, headers: RequestHeaders): Promise<number | "not_begun" | "not_verified" | "invalid">;
	/** Whether browsers can use passkeys at the dashboard's address. */
	readonly takesPasskeys: boolean;
	/** The name on the single sign-on button; null when it is not configured. */
	readonly singleSignOn: { name: string } | null;
}

/**
 * @returns the process's authentication. Reads and writes nothing before the first call, by which time the tables must
 *   have been migrated.
 */
export function createAuth(options: AuthOptions): Auth {
	const trustedOrigins = [...new Set([new URL(options.baseUrl).origin, ...(options.trustedOrigins ?? [])])];
	const throttle = options.throttle === false ? null : new SignInThrottle(options.db);
	const build = (singleSignOn: AuthOptions["singleSignOn"]) =>
		betterAuth(authOptions({ ...options, singleSignOn }, trustedOrigins, throttle));
	// Serves everyone else while the provider is looked up.
	let library = build(null);
	const hasProvider = async (candidate: typeof library) =>
		(await candidate.$context).socialProviders.some(({ id }) => id === SSO_PROVIDER_ID);
	let search: Promise<boolean> | null = null;
	/** @returns whether there is a provider that can be used. An unavailable one is looked up again at each call. */
	const findProvider = (): Promise<boolean> => {
		const discover = async () => {
			if (await hasProvider(library)) return true;
			const next = build(options.singleSignOn);
			const found = await hasProvider(next);
			if (found) library = next;
			return found;
		};
		search ??= discover().finally(() => {
			search = null;
		});
		return search;
	};
	// Logs a wrong configuration at startup instead of at the first sign-in.
	if (options.singleSignOn) {
		findProvider().catch((error) =>
			options.log?.error({ err: error }, "could not look up the single sign-on provider"),
		);
	}
	return {
		trustedOrigins,
		takesPasskeys: takesPasskeys(options.baseUrl),
		singleSignOn: options.singleSignOn ? { name: options.singleSignOn.name } : null,
		setupCode: setupCodeOf(options.secret),
		async handler(request, peerAddress) {
			if (peerAddress !== undefined) request.headers.set(CLIENT_ADDRESS_HEADER, peerAddress);
			const { pathname } = new URL(request.url);
			if (options.singleSignOn) {
				const begins = SSO_BEGIN.test(pathname);
				const found = begins || SSO_CALLBACK.test(pathname) ? await findProvider() : true;
				if (begins && !found) return providerUnavailable(options.singleSignOn.name);
			}
			const response = await library.handler(request);
			if (SSO_CALLBACK.test(pathname)) logRefusal(response, options);
			if (response.status >= 500) {
				options.log?.error({ component: "auth", path: pathname, status: response.status }, "an /api/auth call failed");
			}
			// Changes made here (a sign-out, a removed member, another role) take effect with the next call.
			if (request.method !== "GET") options.credentials.forget();
			const retryAfter = response.headers.get("x-retry-after");
			if (retryAfter !== null) response.headers.set("retry-after", retryAfter);
			return response;
		},
		sessionCookie(headers) {
			const cookie = headers.get("cookie") ?? "";
			return getSessionCookie(new Headers({ cookie }), { cookiePrefix: COOKIE_PREFIX });
		},
		async session(headers) {
			const found = await library.api.getSession({
				headers: new Headers([...headers]),
				query: { disableRefresh: true },
			});
			if (found === null) return null;
			// Column added by the organization plugin, as text; the plugin's type does not reach this far.
			const active = (found.session as { activeOrganizationId?: string | null }).activeOrganizationId;
			return {
				id: Number(found.session.id),
				lastSeenAt: found.session.updatedAt.getTime(),
				userId: Number(found.user.id),
				name: found.user.name,
				email: found.user.email,
				activeOrganizationId: active === null || active === undefined ? null : Number(active),
			};
		},
		async prolongSession(headers) {
			try {
				const answer = await library.api.getSession({ headers: new Headers([...headers]), returnHeaders: true });
				return answer.headers.getSetCookie();
			} catch (error) {
				// The session ended in the meantime: nothing to extend.
				if ((error as { statusCode?: number }).statusCode === 401) return [];
				throw error;
			}
		},
		async signIn(email, password, headers) {
			const answer = await library.api.signInEmail({
				body: { email, password },
				headers: new Headers([...headers]),
				returnHeaders: true,
			});
			return answer.headers.getSetCookie();
		},
		async verifyPassword({ userId, email }, password, headers) {
			const address = clientAddress(headers);
			const waitSeconds = (await throttle?.take(email, address)) ?? null;
			if (waitSeconds !== null) {
				throw new TapedeckError(
					"too_many_requests",
					`Too many wrong passwords. Wait ${waitSeconds} seconds, then try again.`,
					{ headers: { "retry-after": String(waitSeconds) } },
				);
			}
			const isRight = await isPasswordOf(accountTables(options.db), userId, password);
			if (isRight === true) await throttle?.succeeded(email, address);
			return isRight;
		},
		async beginSecondFactor(password, headers) {
			const begun = await library.api.enableTwoFactor({
				body: { password, method: "totp" },
				headers: new Headers([...headers]),
			});
			if (begun.method !== "totp") throw new Error("better-auth began another kind of second factor");
			return { uri: begun.totpURI, backupCodes: begun.backupCodes };
		},
		async confirmSecondFactor(code, headers) {
			try {
				const answer = await library.api.verifyTOTP({
					body: { code },
					headers: new Headers([...headers]),
					returnHeaders: true,
				});
				return answer.headers.getSetCookie();
			} catch (error) {
				const code = error instanceof APIError ? error.body?.code : undefined;
				if (code === "TOTP_NOT_ENABLED") return "not_begun";
				if (code === "INVALID_CODE") return "wrong_code";
				throw error;
			}
		},
		async beginPasskey(headers) {
			const { response, headers: set } = await library.api.generatePasskeyRegistrationOptions({
				headers: new Headers([...headers]),
				returnHeaders: true,
			});
			return { options: { ...response }, cookies: set.getSetCookie() };
		},
		async addPasskey({ name, response }, headers) {
			try {
				const sent = { ...response, clientExtensionResults: {} };
				const body = { name, response: sent };
				return Number((await library.api.verifyPasskeyRegistration({ body, headers: new Headers([...headers]) })).id);
			} catch (error) {
				const code = error instanceof APIError ? error.body?.code : undefined;
				if (code === "CHALLENGE_NOT_FOUND" || code === "YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY")
					return "not_begun";
				if (code === NOT_VERIFIED) return "not_verified";
				if (code === "FAILED_TO_VERIFY_REGISTRATION") return "invalid";
				throw error;
			}
		},
	};
}

const providerUnavailable = (name: string): Response =>
	Response.json(
		{
			code: "PROVIDER_UNAVAILABLE",
			message: `${name} is unavailable or misconfigured. Try again, or ask the person who runs Tapedeck to check the server log.`,
		},
		{ status: 503 },
	);

/** A refused callback redirects with `error`, which anyone can cause. */
function logRefusal(response: Response, { baseUrl, log }: AuthOptions): void {
	const error = URL.parse(response.headers.get("location") ?? "", baseUrl)?.searchParams.get("error");
	if (error) log?.warn({ component: "auth", error: error.slice(0, 100) }, "single sign-on was refused");
}

/** Ten characters without look-alikes, in two groups of five to read aloud: 50 bits. */
function setupCodeOf(secret: string): string {
	const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
	const bytes = createHmac("sha256", secret).update("tapedeck set-up code").digest();
	const letters = [...bytes.subarray(0, 10)].map((byte) => alphabet[byte % alphabet.length]).join("");
	return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

/** Dependencies of authentication. */
export interface AuthDeps {
	db: Database;
	auth: Auth;
	credentials: CredentialCache;
	lastUses: LastUses;
	clock: Clock;
	log: Log;
}
