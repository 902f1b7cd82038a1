/** What every route of /v1 declares, whichever door its body goes through; and how a call is admitted to it. */
import * as z from "zod";
import { authenticate, bearerToken } from "../auth/authenticate.ts";
import { assertSameOrigin } from "../auth/origin.ts";
import { faultsOf } from "../contract/faults.ts";
import type { Scope } from "../contract/organization.ts";
import type { Fault } from "../contract/problem.ts";
import type { Actor } from "../core/context.ts";
import { invalid, notFound, TapedeckError } from "../core/errors.ts";
import type { AppContext } from "./app-context.ts";
import { unauthorized } from "./problem.ts";

type ActorKind = "user" | "apiKey" | "runner";

export type RouteDefinition = {
	/** One sentence for the contract document. */
	summary: string;
	/** No credentials needed; the handler gets the actor when there is one. */
	open?: true;
	/** Who may call; users and API keys when left out. */
	actors?: readonly ActorKind[];
	/** What an API key must hold. */
	scope?: Scope;
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
	/** Answers by status, null for those without a body of ours. */
	answers: Readonly<Record<number, z.ZodType | null>>;
};

/** An id in a path: digits that make a positive integer; anything else is no such thing. */
export const pathId = z
	.string()
	.regex(/^[1-9]\d{0,15}$/)
	.transform(Number)
	.refine(Number.isSafeInteger);

/** @throws not_found for params that cannot name anything. */
export function parseParams(def: RouteDefinition, params: Record<string, string>): unknown {
	if (def.params === undefined) return {};
	const result = def.params.safeParse(params);
	if (!result.success) throw notFound("thing");
	return result.data;
}

/**
 * Who calls, if they may: credentials first, then scope.
 *
 * @throws unauthorized, forbidden; validation_failed for an organizationId that is no id.
 */
export async function admit(
	app: AppContext,
	def: RouteDefinition,
	method: string,
	headers: Headers,
	url: URL,
): Promise<Actor | null> {
	const wanted = url.searchParams.get("organizationId");
	const wantedId = wanted === null ? undefined : (pathId.safeParse(wanted).data ?? null);
	const actor = await authenticate(app, headers, wantedId ?? undefined);
	if (actor === null && def.open !== true) throw unauthorized();
	if (wantedId === null) {
		throw invalid({
			path: "organizationId",
			code: "invalid",
			message: "Send your organization's id as a whole number, or leave it out.",
		});
	}
	if (actor === null || def.open === true) return actor;
	if (bearerToken(headers) === null) assertSameOrigin(headers, method, app.auth.trustedOrigins);
	const kinds = def.actors ?? ["user", "apiKey"];
	if (!kinds.includes(actor.kind as ActorKind)) {
		throw new TapedeckError("forbidden", `This call is for ${kinds.map((kind) => KIND_WORDS[kind]).join(" or ")}.`);
	}
	if (actor.kind === "apiKey" && def.scope !== undefined && !actor.scopes.includes(def.scope)) {
		throw new TapedeckError("forbidden", `This API key lacks the scope ${def.scope}. Use a key that has it.`);
	}
	return actor;
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
		: { query: {}, faults: atParameter(faultsOf(result.error.issues, raw)) };
}

/** `status.1` is told at `status`: a parameter is repeated, not indexed. */
const atParameter = (faults: Fault[]): Fault[] =>
	faults.map((fault) => ({ ...fault, path: fault.path.split(".")[0] ?? fault.path }));
