/** better-auth as we use it: users, sessions and organizations, by e-mail and password. */
import { createHmac } from "node:crypto";
import { betterAuth } from "better-auth";
import { getSessionCookie } from "better-auth/cookies";
import { createAccessControl } from "better-auth/plugins/access";
import { organization } from "better-auth/plugins/organization";
import { adminAc, defaultStatements, memberAc, ownerAc } from "better-auth/plugins/organization/access";
import type { Clock, Database, Log } from "../core/context.ts";
import { forgetCredentials } from "./credential-cache.ts";
import { isTrustedOrigin } from "./origin.ts";
import { CLIENT_ADDRESS_HEADER } from "./peer.ts";

export const AUTH_BASE_PATH = "/api/auth";
export const MIN_PASSWORD_LENGTH = 10;
const COOKIE_PREFIX = "tapedeck";
const SESSION_SECONDS = 30 * 86_400;

export interface AuthOptions {
	db: Database;
	dialect: "sqlite" | "postgres";
	/** Base URL that people use: decides the Secure flag of the cookies. */
	baseUrl: string;
	/** At least 32 characters; signs the cookies. */
	secret: string;
	/** More origins whose pages may sign in, such as http://localhost:3000. */
	trustedOrigins?: readonly string[];
	/** Throttles sign-in per address; on unless told otherwise. */
	throttle?: boolean;
	log?: Log;
}

/** Who a session cookie belongs to. */
export interface Session {
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
}

/** What better-auth is told; exported so that a test can ask it whether the tables fit. */
export function authOptions(options: AuthOptions, trustedOrigins: readonly string[]) {
	const access = createAccessControl(defaultStatements);
	return {
		appName: "Tapedeck",
		// SQLite has one connection, and a transaction of better-auth's that asks outside of itself would wait for ever.
		database: { db: options.db, type: options.dialect, transaction: options.dialect === "postgres" },
		baseURL: options.baseUrl,
		basePath: AUTH_BASE_PATH,
		secret: options.secret,
		trustedOrigins: (request?: Request): string[] => {
			const own = request?.headers.get("origin") ?? null;
			if (own === null || !isTrustedOrigin(own, request?.headers ?? new Headers(), trustedOrigins)) {
				return [...trustedOrigins];
			}
			return [...trustedOrigins, own];
		},
		emailAndPassword: {
			enabled: true,
			disableSignUp: true,
			minPasswordLength: MIN_PASSWORD_LENGTH,
			maxPasswordLength: 128,
		},
		session: { expiresIn: SESSION_SECONDS, updateAge: 86_400 },
		rateLimit: {
			enabled: options.throttle ?? true,
			window: 10,
			max: 200,
			storage: "memory" as const,
			customRules: { "/sign-in/*": { window: 10, max: 10 } },
		},
		advanced: {
			cookiePrefix: COOKIE_PREFIX,
			// The tables are ours to migrate, and a test asks better-auth whether they fit.
			database: { generateId: "serial" as const, validateSchema: false },
			defaultCookieAttributes: { httpOnly: true, sameSite: "lax" as const },
			// Told explicitly: better-auth drops these checks by itself when it believes to be under test.
			disableOriginCheck: false,
			disableCSRFCheck: false,
			ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
		},
		telemetry: { enabled: false },
		onAPIError: {
			// What a caller did wrong is in the answer; only what we did wrong belongs in the log.
			onError: (error: unknown) => {
				if ((error as { statusCode?: number }).statusCode === undefined) {
					options.log?.error({ err: error, component: "auth" }, "a call of /api/auth failed");
				}
			},
		},
		logger: {
			level: "warn" as const,
			log: (level: "debug" | "info" | "warn" | "error", message: string) =>
				// Any stranger can send a foreign Origin: that is worth a line, not an alarm.
				options.log?.[message.startsWith("Invalid origin") ? "warn" : level]({ component: "auth" }, message),
		},
		plugins: [
			organization({
				ac: access,
				roles: { owner: ownerAc, admin: adminAc, member: memberAc, viewer: access.newRole({}) },
				creatorRole: "owner",
				allowUserToCreateOrganization: false,
				disableOrganizationDeletion: true,
			}),
		],
	};
}

/**
 * @returns the process's authentication. Nothing is read or written before the first call; the tables must
 * have been migrated by then.
 */
export function createAuth(options: AuthOptions): Auth {
	const trustedOrigins = [...new Set([new URL(options.baseUrl).origin, ...(options.trustedOrigins ?? [])])];
	const library = betterAuth(authOptions(options, trustedOrigins));
	return {
		trustedOrigins,
		setupCode: setupCodeOf(options.secret),
		async handler(request, peerAddress) {
			if (peerAddress !== undefined) request.headers.set(CLIENT_ADDRESS_HEADER, peerAddress);
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
