/** Admits a call to a route: identifies and authorizes the caller, and parses path parameters and query. */
import { faultsOf } from "@tapedeck/contract/faults.ts";
import type { Fault } from "@tapedeck/contract/problem.ts";
import { authorize } from "#lib/access/authorize.ts";
import type { Caller } from "#lib/auth/account/caller.ts";
import type { Session } from "#lib/auth/better-auth/auth.ts";
import { authenticate, bearerToken } from "#lib/auth/credentials/authenticate.ts";
import { isCallerAt } from "#lib/auth/sign-in/client-address.ts";
import type { Actor } from "#lib/core/context.ts";
import { invalid, isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import type { AppContext } from "./app-context.ts";
import { unauthorized } from "./problem.ts";
import { pathId, type RouteDefinition } from "./route-definition.ts";

/** Calls without the credentials that a route requires count on every route. */
const isRateLimited = (def: RouteDefinition, actor: Actor | null): boolean =>
	def.rateLimit !== false || (actor === null && def.permission !== "public");

export type Admission = { actor: Actor | null; headers: Record<string, string> };

/** @throws not_found for parameters that are not valid ids. */
export function parseParams(def: RouteDefinition, params: Record<string, string>): unknown {
	if (def.params === undefined) return {};
	const result = def.params.safeParse(params);
	if (!result.success) throw new TapedeckError("not_found", "Not found.");
	return result.data;
}

/**
 * Identifies the caller, applies the rate limit, then checks the permission.
 *
 * @returns the actor, and the rate limit headers for the response.
 * @throws unauthorized, too_many_requests, forbidden; validation_failed for a malformed organizationId.
 */
export async function authenticateRequest(
	app: AppContext,
	def: RouteDefinition,
	method: string,
	headers: RequestHeaders,
	url: URL,
): Promise<Admission> {
	const requestedIds = url.searchParams.getAll("organizationId");
	const organizationId =
		requestedIds.length === 0
			? undefined
			: (requestedIds.length === 1 && pathId.safeParse(requestedIds[0]).data) || null;
	const actor = await callerOf(app, def, headers, organizationId ?? undefined).catch(async (error: unknown) => {
		// Known but refused callers (an expired key, another organization's key) count as unauthenticated.
		if (isTapedeckError(error)) await app.limits.count(null, headers);
		throw error;
	});
	const rateLimitHeaders = isRateLimited(def, actor) ? await app.limits.count(actor, headers) : {};
	if (actor === null && def.permission !== "public") throw unauthorized();
	if (organizationId === null) {
		throw invalid({
			path: "organizationId",
			code: "invalid",
			message: "Send your organization's id once, as a whole number, or leave it out.",
		});
	}
	const { trustedOrigins } = app.auth;
	const hasToken = bearerToken(headers) !== null;
	authorize({ permission: def.permission, actor, method, headers, hasToken, trustedOrigins });
	return { actor, headers: rateLimitHeaders };
}

/** Admits the holder of a link. A bad link counts as a call without valid credentials. */
export async function authenticateByLink(
	app: AppContext,
	link: Promise<Actor>,
	headers: RequestHeaders,
): Promise<Admission> {
	try {
		return { actor: await link, headers: {} };
	} catch (error) {
		await app.limits.count(null, headers);
		throw error;
	}
}

/** Whether a call comes from the operator's monitoring. */
export function isOperator({ operator }: AppContext, headers: RequestHeaders): boolean {
	if (isCallerAt(headers, operator.addresses)) return true;
	const token = bearerToken(headers);
	// Compares hashes, so that timing reveals nothing about the token.
	return token !== null && operator.token !== null && hashSecret(token) === hashSecret(operator.token);
}

/** Public routes also serve people without an organization, such as those who have just been invited. */
async function callerOf(
	app: AppContext,
	def: RouteDefinition,
	headers: RequestHeaders,
	organizationId: number | undefined,
) {
	// This takes no query: the database may be unreachable.
	if (def.servesOperator === true && isOperator(app, headers)) return null;
	try {
		return await authenticate(app, headers, organizationId);
	} catch (error) {
		const code = isTapedeckError(error) ? error.code : null;
		// An expired key can still use public routes.
		const isAnonymous = code === "unauthorized" || (code === "forbidden" && organizationId === undefined);
		if (def.permission === "public" && isAnonymous) return null;
		throw error;
	}
}

/** Returns faults instead of throwing, so that they are reported together with the body's. */
export function parseQuery(def: RouteDefinition, url: URL): { query: unknown; faults: Fault[] } {
	if (def.query === undefined) return { query: {}, faults: [] };
	const raw: Record<string, string | string[]> = {};
	for (const key of new Set(url.searchParams.keys())) {
		const values = url.searchParams.getAll(key);
		raw[key] = values.length === 1 && values[0] !== undefined ? values[0] : values;
	}
	const result = def.query.safeParse(raw);
	return result.success
		? { query: result.data, faults: [] }
		: { query: {}, faults: faultsOf(result.error.issues, raw).map((fault) => atParameter(fault, raw)) };
}

/** Reports the fault of `status.1` at `status`: query parameters are repeated, not indexed. */
function atParameter(fault: Fault, raw: Record<string, unknown>): Fault {
	const path = fault.path.split(".")[0] ?? fault.path;
	const repeated = fault.path === path && Array.isArray(raw[path]) && fault.code === "invalid_type";
	return { ...fault, path, ...(repeated ? { message: `Send ${path} once.` } : {}) };
}

/** The user who makes a call, for what a password confirms. @throws unauthorized, like currentSession. */
export async function currentCaller(app: AppContext, headers: RequestHeaders): Promise<Caller> {
	return { auth: app.auth, session: await currentSession(app, headers), headers };
}

/** The session of a call made by a user. @throws unauthorized when it has ended since the call was admitted. */
export async function currentSession(app: AppContext, headers: RequestHeaders): Promise<Session> {
	const session = await app.auth.session(headers);
	if (session === null) throw unauthorized();
	return session;
}
