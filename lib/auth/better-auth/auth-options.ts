/** The configuration of better-auth: email, password and second factor, single sign-on where configured, and organizations. */
import { APIError, createAuthMiddleware } from "better-auth/api";
import { createAccessControl } from "better-auth/plugins/access";
import { organization } from "better-auth/plugins/organization";
import { adminAc, defaultStatements, memberAc, ownerAc } from "better-auth/plugins/organization/access";
import { isTrustedOrigin } from "#lib/access/same-origin.ts";
import type { Clock, Database, EventBus, Log } from "#lib/core/context.ts";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "../sign-in/client-address.ts";
import { admitNewUser, refusalOf, type SingleSignOn, ssoPlugin } from "../sign-in/single-sign-on.ts";
import type { SignInThrottle } from "../sign-in/throttle.ts";
import { PASSKEY_PATHS, passkeyRules, passkeys } from "./passkeys.ts";
import { secondFactor } from "./second-factor.ts";
import { singleUseCodes } from "./single-use-codes.ts";

export const AUTH_BASE_PATH = "/api/auth";
export const MIN_PASSWORD_LENGTH = 10;
export const COOKIE_PREFIX = "tapedeck";
/** Anyone can cause these errors (a foreign Origin, a refused sign-in), so they are not logged as errors. */
const EXPECTED_ERRORS =
	/^(Invalid [\w ]+:|Blocked cross-site|(Failed to parse s|S)tate\b|Provider not found|Failed to verify (authentication|registration)$|No callback URL|INVALID_CALLBACK_REQUEST|[a-z_]+$)/;
const SESSION_SECONDS = 30 * 86_400;

export interface AuthOptions {
	db: Database;
	/** Cleared after every change that better-auth makes. */
	credentials: { forget(): void };
	clock: Clock;
	events: EventBus;
	dialect: "sqlite" | "postgres";
	/** Base URL that people use; decides the Secure flag of the cookies. */
	baseUrl: string;
	/** At least 32 characters; signs the cookies. */
	secret: string;
	/** Further origins whose pages may sign in, such as http://localhost:3000. */
	trustedOrigins?: readonly string[];
	/** Null when single sign-on is not configured. */
	singleSignOn?: SingleSignOn | null;
	/** Throttles sign-in per account and per address; true by default. */
	throttle?: boolean;
	log?: Log;
}

/** The options for better-auth; exported so that a test can check the tables against them. */
export function authOptions(
	options: AuthOptions,
	trustedOrigins: readonly string[],
	throttle: SignInThrottle | null = null,
) {
	return {
		appName: "Tapedeck",
		// SQLite has one connection: a better-auth transaction that queries outside of itself would deadlock.
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
		// No session is too old for the calls that change an account, because ours ask for the password.
		session: { expiresIn: SESSION_SECONDS, updateAge: 86_400, freshAge: 0 },
		// SignInThrottle and the limits of every call do it; better-auth's own counts for the whole process.
		rateLimit: { enabled: false },
		hooks: hooksOf(throttle),
		...(options.singleSignOn ? ssoRules(options, options.singleSignOn) : {}),
		advanced: {
			cookiePrefix: COOKIE_PREFIX,
			// We migrate these tables ourselves, and a test checks them against better-auth.
			database: { generateId: "serial" as const, validateSchema: false },
			defaultCookieAttributes: { httpOnly: true, sameSite: "lax" as const },
			// Set explicitly: better-auth disables these checks when it detects a test environment.
			disableOriginCheck: false,
			disableCSRFCheck: false,
			ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
		},
		telemetry: { enabled: false },
		onAPIError: {
			errorURL: `${options.baseUrl}/login`,
			// Errors caused by the caller are answered; all others are thrown, logged and answered by the HTTP entry point.
			throw: true,
		},
		logger: {
			level: "warn" as const,
			log: (level: "debug" | "info" | "warn" | "error", message: string) =>
				options.log?.[EXPECTED_ERRORS.test(message) ? "warn" : level]({ component: "auth" }, message),
		},
		plugins: [
			organizations(),
			secondFactor(),
			singleUseCodes(options.db),
			passkeys(options.baseUrl, trustedOrigins),
			passkeyRules(),
			...(options.singleSignOn ? [ssoPlugin(options.singleSignOn, options.log)] : []),
		],
	};
}

/** Provides the tables and switching between organizations. Our own operations change members, with locks and audit. */
function organizations() {
	const access = createAccessControl(defaultStatements);
	return organization({
		ac: access,
		roles: { owner: ownerAc, admin: adminAc, member: memberAc, viewer: access.newRole({}) },
		creatorRole: "owner",
		allowUserToCreateOrganization: false,
		disableOrganizationDeletion: true,
	});
}

/** A call as better-auth has parsed it. */
type Call = { path: string; body?: unknown; query?: unknown; headers?: Headers };

function hooksOf(throttle: SignInThrottle | null) {
	const throttled = throttle === null ? null : throttledSignIn(throttle);
	return {
		before: createAuthMiddleware(async (ctx) => {
			refuseUnstorable(ctx as Call);
			await throttled?.before(ctx as Call);
		}),
		...(throttled === null
			? {}
			: { after: createAuthMiddleware(async (ctx) => throttled.after(ctx as Call & NewSession)) }),
	};
}

type NewSession = { context: { newSession: unknown } };

/** PostgreSQL fails at what cannot be in its columns, where SQLite finds nothing: NUL in a text, and text for a number. */
function refuseUnstorable({ body, query }: Call): void {
	const values = [body, query].flatMap((sent) =>
		typeof sent === "object" && sent !== null ? Object.entries(sent) : [],
	);
	for (const [name, value] of values) {
		// Any other type is refused by the endpoint's own schema.
		if (typeof value !== "string") continue;
		const isId = name !== "organizationId" || ORGANIZATION_ID.test(value);
		if (isId && !value.includes("\u0000")) continue;
		const message = isId ? `Send ${name} without NUL characters.` : "Send organizationId as your organization's id.";
		throw new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message });
	}
}

const ORGANIZATION_ID = /^[1-9]\d{0,15}$/;

function throttledSignIn(throttle: SignInThrottle) {
	const addressOf = ({ headers }: Call) => (headers === undefined ? null : clientAddress(headers));
	const attemptOf = (call: Call) => {
		const email = (call.body as { email?: unknown } | undefined)?.email;
		if (call.path !== "/sign-in/email" || typeof email !== "string") return null;
		return [email, addressOf(call)] as const;
	};
	return {
		before: async (call: Call) => {
			if (!call.path.startsWith("/sign-in/") && !PASSKEY_PATHS.includes(call.path)) return;
			const attempt = attemptOf(call);
			const waitSeconds =
				(await throttle.begin(addressOf(call))) ?? (attempt === null ? null : await throttle.take(...attempt));
			if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
		},
		after: async (call: Call & NewSession) => {
			const attempt = attemptOf(call);
			if (attempt !== null && call.context.newSession) await throttle.succeeded(...attempt);
		},
	};
}

const tooManyAttempts = (waitSeconds: number) =>
	new APIError(
		"TOO_MANY_REQUESTS",
		{ code: "TOO_MANY_ATTEMPTS", message: `Too many attempts. Wait ${waitSeconds} seconds, then try again.` },
		{ "retry-after": String(waitSeconds) },
	);

/**
 * Accounts created here are never linked to a provider's account by email alone, because nobody has verified that email
 * here (better-auth's default, `requireLocalEmailVerified`). The owner can link them once signed in.
 */
function ssoRules(options: AuthOptions, singleSignOn: SingleSignOn) {
	return {
		account: {
			updateAccountOnSignIn: false,
			accountLinking: { enabled: true, requireLocalEmailVerified: true, trustedProviders: [] },
		},
		user: {
			validateUserInfo: ({ user }: { user: { email?: string | null; emailVerified?: boolean } }) =>
				refusalOf(options.db, singleSignOn, { email: user.email ?? undefined, emailVerified: user.emailVerified }),
		},
		databaseHooks: {
			user: {
				create: {
					after: ({ id, name }: { id: string; name: string }, call: { headers?: Headers | undefined } | null) => {
						const address = call?.headers === undefined ? null : clientAddress(call.headers);
						return admitNewUser({ ...options, address }, singleSignOn, { userId: Number(id), name });
					},
				},
			},
			account: { create: { before: withoutTokens }, update: { before: withoutTokens } },
		},
	};
}

/** We have no use for the provider's tokens, so they are not stored. */
const withoutTokens = async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } });
