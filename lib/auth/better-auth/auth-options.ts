/** What better-auth is told: by e-mail and password, by single sign-on when it is configured, in organizations. */
import { APIError, createAuthMiddleware } from "better-auth/api";
import { createAccessControl } from "better-auth/plugins/access";
import { organization } from "better-auth/plugins/organization";
import { adminAc, defaultStatements, memberAc, ownerAc } from "better-auth/plugins/organization/access";
import type { Database, Log } from "../../core/context.ts";
import { isTrustedOrigin } from "../../access/same-origin.ts";
import { CLIENT_ADDRESS_HEADER } from "../sign-in/peer.ts";
import type { SignInThrottle } from "../sign-in/throttle.ts";
import { admitNewUser, refusalOf, type SingleSignOn, ssoPlugin } from "../single-sign-on.ts";

export const AUTH_BASE_PATH = "/api/auth";
export const MIN_PASSWORD_LENGTH = 10;
export const COOKIE_PREFIX = "tapedeck";
/** What any stranger can bring about is worth a line in the log, not an alarm: a foreign Origin, a refused sign-in. */
const STRANGERS_DOING = /^(Invalid origin|Failed to parse state|[a-z_]+$)/;
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
	/** Null without single sign-on. */
	singleSignOn?: SingleSignOn | null;
	/** Throttles sign-in per account and per address; on unless told otherwise. */
	throttle?: boolean;
	log?: Log;
}

/** What better-auth is told; exported so that a test can ask it whether the tables fit. */
export function authOptions(
	options: AuthOptions,
	trustedOrigins: readonly string[],
	throttle: SignInThrottle | null = null,
) {
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
			// Against bursts; SignInThrottle looks farther back.
			customRules: { "/sign-in/*": { window: 10, max: 30 } },
		},
		...(throttle === null ? {} : { hooks: throttledSignIn(throttle) }),
		...(options.singleSignOn ? ssoRules(options, options.singleSignOn) : {}),
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
			errorURL: `${options.baseUrl}/login`,
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
				options.log?.[STRANGERS_DOING.test(message) ? "warn" : level]({ component: "auth" }, message),
		},
		plugins: [organizations(), ...(options.singleSignOn ? [ssoPlugin(options.singleSignOn)] : [])],
	};
}

/** Its tables and switching between them; who is a member is changed by our own verbs, race-safe and written down. */
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

function throttledSignIn(throttle: SignInThrottle) {
	type Call = { path: string; body?: unknown; headers?: Headers };
	const attemptOf = ({ path, body, headers }: Call) => {
		const email = (body as { email?: unknown } | undefined)?.email;
		if (path !== "/sign-in/email" || typeof email !== "string") return null;
		return [email, headers?.get(CLIENT_ADDRESS_HEADER) ?? null] as const;
	};
	return {
		before: createAuthMiddleware(async (ctx) => {
			const attempt = attemptOf(ctx as Call);
			const waitSeconds = attempt === null ? null : await throttle.take(...attempt);
			if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
		}),
		after: createAuthMiddleware(async (ctx) => {
			const attempt = attemptOf(ctx as Call);
			if (attempt !== null && ctx.context.newSession) await throttle.succeeded(...attempt);
		}),
	};
}

const tooManyAttempts = (waitSeconds: number) =>
	new APIError(
		"TOO_MANY_REQUESTS",
		{ code: "TOO_MANY_ATTEMPTS", message: `Too many attempts. Wait ${waitSeconds} seconds, then try again.` },
		{ "retry-after": String(waitSeconds) },
	);

/**
 * An account that was made here is never joined to one of the provider by its e-mail alone: nobody has proved here
 * that the e-mail is theirs (better-auth's `requireLocalEmailVerified`, its default). Its owner, signed in, connects them.
 */
function ssoRules(options: AuthOptions, singleSignOn: SingleSignOn) {
	return {
		account: {
			// The provider's tokens are of no use to us, and so are not kept.
			updateAccountOnSignIn: false,
			accountLinking: { enabled: true, requireLocalEmailVerified: true, trustedProviders: [] },
		},
		user: {
			validateUserInfo: ({ user }: { user: { email?: string | null; emailVerified?: boolean } }) =>
				refusalOf(options.db, singleSignOn, { email: user.email ?? undefined, emailVerified: user.emailVerified }),
		},
		databaseHooks: {
			user: { create: { after: (user: { id: string }) => admitNewUser(options, singleSignOn, Number(user.id)) } },
			account: {
				create: {
					before: async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } }),
				},
			},
		},
	};
}
