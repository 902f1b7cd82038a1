/** better-auth as the process has it: users, sessions and organizations. */
import { createHmac } from "node:crypto";
import { betterAuth } from "better-auth";
import { getSessionCookie } from "better-auth/cookies";
import type { Clock, Database, Log } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { type AuthOptions, authOptions, COOKIE_PREFIX } from "./better-auth/auth-options.ts";
import { forgetCredentials } from "./credential-cache.ts";
import { CLIENT_ADDRESS_HEADER } from "./sign-in/peer.ts";
import { SignInThrottle } from "./sign-in/throttle.ts";
import { SSO_PROVIDER_ID } from "./single-sign-on.ts";

/** The calls that speak with the provider of single sign-on. */
const SSO_PATH = /\/(sign-in\/social|link-social|callback\/\w+)$/;

/** Who a session cookie belongs to. */
export interface Session {
	id: number;
	/** Milliseconds since 1970; to the minute. */
	lastSeenAt: number;
	userId: number;
	name: string;
	email: string;
	activeOrganizationId: number | null;
}

export interface Auth {
	/** Serves everything under /api/auth. The throttle goes by `peerAddress`, else by what markPeer noted. */
	handler(request: Request, peerAddress?: string): Promise<Response>;
	/** Origins whose pages may act with a cookie. */
	readonly trustedOrigins: readonly string[];
	/** The code that a first visitor from another machine must know. The same until the secret changes. */
	readonly setupCode: string;
	/** The signed session token that the request carries, not yet verified; null without one. */
	sessionCookie(headers: Headers): string | null;
	/** @returns null when there is no session, or it has ended. Writes nothing. */
	session(headers: Headers): Promise<Session | null>;
	/** Prolongs a session that is used. @returns values of Set-Cookie headers, often none. */
	prolongSession(headers: Headers): Promise<string[]>;
	/** Signs in. @returns values of Set-Cookie headers. @throws when e-mail or password are wrong. */
	signIn(email: string, password: string, headers: Headers): Promise<string[]>;
	/**
	 * Changes the password of the session that the request carries.
	 * @throws too_many_requests after many wrong ones.
	 */
	changePassword(
		change: { email: string; currentPassword: string; newPassword: string },
		headers: Headers,
	): Promise<"changed" | "wrong_password" | "no_password">;
	/** What the button of single sign-on says; null when it is not configured. */
	readonly singleSignOn: { name: string } | null;
}

/**
 * @returns the process's authentication. Nothing is read or written before the first call; the tables must
 * have been migrated by then.
 */
export function createAuth(options: AuthOptions): Auth {
	const trustedOrigins = [...new Set([new URL(options.baseUrl).origin, ...(options.trustedOrigins ?? [])])];
	const throttle = options.throttle === false ? null : new SignInThrottle();
	const build = () => betterAuth(authOptions(options, trustedOrigins, throttle));
	let library = build();
	/** A provider that could not be reached when the process started is asked again when somebody wants it. */
	const findProvider = async () => {
		const { socialProviders } = await library.$context;
		if (!socialProviders.some(({ id }) => id === SSO_PROVIDER_ID)) library = build();
	};
	return {
		trustedOrigins,
		singleSignOn: options.singleSignOn ? { name: options.singleSignOn.name } : null,
		setupCode: setupCodeOf(options.secret),
		async handler(request, peerAddress) {
			if (peerAddress !== undefined) request.headers.set(CLIENT_ADDRESS_HEADER, peerAddress);
			if (options.singleSignOn && SSO_PATH.test(new URL(request.url).pathname)) await findProvider();
			const response = await library.handler(request);
			// Whatever was changed here (signed out, removed, another role) counts from the next call on.
			if (request.method !== "GET") forgetCredentials(options.db);
			const retryAfter = response.headers.get("x-retry-after");
			if (retryAfter !== null) response.headers.set("retry-after", retryAfter);
			return response;
		},
		sessionCookie: (headers) => getSessionCookie(headers, { cookiePrefix: COOKIE_PREFIX }),
		async session(headers) {
			const found = await library.api.getSession({ headers, query: { disableRefresh: true } });
			if (found === null) return null;
			// The organization plugin adds this column, as text; its type does not reach this far.
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
				const answer = await library.api.getSession({ headers, returnHeaders: true });
				return answer.headers.getSetCookie();
			} catch (error) {
				// It ended at this very moment: there is nothing left to prolong.
				if ((error as { statusCode?: number }).statusCode === 401) return [];
				throw error;
			}
		},
		async signIn(email, password, headers) {
			const answer = await library.api.signInEmail({ body: { email, password }, headers, returnHeaders: true });
			return answer.headers.getSetCookie();
		},
		async changePassword({ email, currentPassword, newPassword }, headers) {
			const address = headers.get(CLIENT_ADDRESS_HEADER);
			const waitSeconds = (await throttle?.take(email, address)) ?? null;
			if (waitSeconds !== null) {
				throw new TapedeckError(
					"too_many_requests",
					`Too many wrong passwords. Wait ${waitSeconds} seconds, then try again.`,
					{ headers: { "retry-after": String(waitSeconds) } },
				);
			}
			try {
				await library.api.changePassword({ body: { currentPassword, newPassword }, headers });
			} catch (error) {
				const code = (error as { body?: { code?: string } }).body?.code;
				if (code === "INVALID_PASSWORD") return "wrong_password";
				if (code === "CREDENTIAL_ACCOUNT_NOT_FOUND") return "no_password";
				throw error;
			}
			await throttle?.succeeded(email, address);
			return "changed";
		},
	};
}

/** Ten characters without look-alikes, read aloud as two groups of five: 50 bits. */
function setupCodeOf(secret: string): string {
	const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
	const bytes = createHmac("sha256", secret).update("tapedeck set-up code").digest();
	const letters = [...bytes.subarray(0, 10)].map((byte) => alphabet[byte % alphabet.length]).join("");
	return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

/** What everything here needs of the process. */
export interface AuthDeps {
	db: Database;
	auth: Auth;
	clock: Clock;
	log: Log;
}
