/** How a call is admitted to a route: who calls, whether they may, and what they ask for. */
import { authenticate, bearerToken } from "../auth/credentials/authenticate.ts";
import { assertSameOrigin } from "../access/same-origin.ts";
import { faultsOf } from "../contract/faults.ts";
import type { Fault } from "../contract/problem.ts";
import type { Actor } from "../core/context.ts";
import { invalid, isTapedeckError, notFound, TapedeckError } from "../core/errors.ts";
import type { AppContext } from "./app-context.ts";
import { unauthorized } from "./problem.ts";
import { type ActorKind, pathId, type RouteDefinition } from "./route-definition.ts";

/** Who shows no valid credentials where some are wanted is counted everywhere. */
const isCounted = (def: RouteDefinition, actor: Actor | null): boolean =>
	def.uncounted !== true || (actor === null && def.open !== true);

export type Admission = { actor: Actor | null; headers: Record<string, string> };

/** @throws not_found for params that cannot name anything. */
export function parseParams(def: RouteDefinition, params: Record<string, string>): unknown {
	if (def.params === undefined) return {};
	const result = def.params.safeParse(params);
	if (!result.success) throw notFound("thing");
	return result.data;
}

/**
 * Who calls, if they may: credentials first, then how often, then scope.
 *
 * @returns the actor, and headers for the answer: how many calls are left.
 * @throws unauthorized, too_many_requests, forbidden; validation_failed for an organizationId that is no id.
 */
export async function admit(
	app: AppContext,
	def: RouteDefinition,
	method: string,
	headers: Headers,
	url: URL,
): Promise<Admission> {
	const wanted = url.searchParams.getAll("organizationId");
	const wantedId = wanted.length === 0 ? undefined : (wanted.length === 1 && pathId.safeParse(wanted[0]).data) || null;
	const actor = await callerOf(app, def, headers, wantedId ?? undefined).catch(async (error: unknown) => {
		// An expired key, another's organization: who is refused by name is a stranger like who shows nothing.
		if (isTapedeckError(error)) await app.limits.count(null, headers);
		throw error;
	});
	const told = isCounted(def, actor) ? await app.limits.count(actor, headers) : {};
	if (actor === null && def.open !== true) throw unauthorized();
	if (wantedId === null) {
		throw invalid({
			path: "organizationId",
			code: "invalid",
			message: "Send your organization's id once, as a whole number, or leave it out.",
		});
	}
	if (actor === null || def.open === true) return { actor, headers: told };
	if (bearerToken(headers) === null) assertSameOrigin(headers, method, app.auth.trustedOrigins);
	const refusal = refusalOf(def, actor);
	if (refusal !== null) throw new TapedeckError("forbidden", refusal);
	return { actor, headers: told };
}

/** Whether a route is for this kind of caller, and a key has its scope. @returns why not, null when it is. */
export function refusalOf(def: RouteDefinition, actor: Actor): string | null {
	const kinds = def.actors ?? ["user", "apiKey"];
	if (!kinds.includes(actor.kind as ActorKind)) {
		return `This call is for ${kinds.map((kind) => KIND_WORDS[kind]).join(" or ")}.`;
	}
	if (actor.kind === "apiKey" && def.scope !== undefined && !actor.scopes.includes(def.scope)) {
		return `This API key lacks the scope ${def.scope}, or its maker may not do this any more. Use another key.`;
	}
	return null;
}

/** Who follows a link, if it is good; one that is not counts like a call without valid credentials. */
export async function admitByLink(app: AppContext, link: Promise<Actor>, headers: Headers): Promise<Admission> {
	try {
		return { actor: await link, headers: {} };
	} catch (error) {
		await app.limits.count(null, headers);
		throw error;
	}
}

/** Open routes are there for people without an organization too: such as those who have just been invited. */
async function callerOf(app: AppContext, def: RouteDefinition, headers: Headers, wantedId: number | undefined) {
	try {
		return await authenticate(app, headers, wantedId);
	} catch (error) {
		const code = isTapedeckError(error) ? error.code : null;
		// A key that has expired opens what is open to everyone.
		const isNobody = code === "unauthorized" || (code === "forbidden" && wantedId === undefined);
		if (def.open === true && isNobody) return null;
		throw error;
	}
}

const KIND_WORDS: Record<ActorKind, string> = { user: "signed-in users", apiKey: "API keys", runner: "runner tokens" };

/** The query's faults are told together with the body's. */
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

/** `status.1` is told at `status`: a parameter is repeated, not indexed. One that is not to be repeated says so. */
function atParameter(fault: Fault, raw: Record<string, unknown>): Fault {
	const path = fault.path.split(".")[0] ?? fault.path;
	const repeated = fault.path === path && Array.isArray(raw[path]) && fault.code === "invalid_type";
	return { ...fault, path, ...(repeated ? { message: `Send ${path} once.` } : {}) };
}
