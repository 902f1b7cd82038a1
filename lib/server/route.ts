/**
 * An endpoint as a declaration. `route` makes an ordinary Next route handler (Request in, Response out);
 * sign-in, scopes, parsing and errors are done here, once.
 *
 * A request is judged in this order: route and method (before this), credentials, scope, role, size, media type,
 * JSON, fit, existence (in the verb).
 */
import type * as z from "zod";
import { clientAddress } from "../auth/sign-in/peer.ts";
import { watchCredential } from "../auth/watch-credential.ts";
import { countFaults, faultsOf } from "../contract/faults.ts";
import type { Context } from "../core/context.ts";
import { invalid, MAX_FAULTS } from "../core/errors.ts";
import { admit, parseParams, parseQuery } from "./admit.ts";
import { type AppContext, appContext, contextFor } from "./app-context.ts";
import { maxBodyBytes } from "./limit-body.ts";
import { problemAnswer, unauthorized } from "./problem.ts";
import { readJsonBody } from "./read-json-body.ts";
import type { RouteDefinition } from "./route-definition.ts";

export { pathId } from "./route-definition.ts";

type Output<T, Fallback> = T extends z.ZodType ? z.output<T> : Fallback;
/** Params of Next's shape: a promise. */
type NextParams = { params: Promise<Record<string, string | string[]>> };

export type RouteCall<D extends RouteDefinition> = {
	/** Absent only on routes that are open and were called without credentials. */
	ctx: D extends { open: true } ? Context | null : Context;
	app: AppContext;
	params: Output<D["params"], Record<string, never>>;
	query: Output<D["query"], Record<string, never>>;
	body: Output<D["body"], undefined>;
	request: Request;
	/** The caller went away, or is not let in any more, or the server stops. */
	signal: AbortSignal;
};
export type RouteAnswer = { status: number; body?: unknown; headers?: Record<string, string> };
/** An answer before it is a Response: our own door writes it without the detour. */
export type PlainAnswer = { status: number; headers: Record<string, string>; text: string | null };
export type RouteHandler = ((request: Request, next: NextParams) => Promise<Response>) & {
	definition: RouteDefinition;
	answer: (request: Request, params: Record<string, string>) => Promise<PlainAnswer | Response>;
};

/** @returns a handler for `export const GET = …` in app/v1/**\/route.ts. */
export function route<const D extends RouteDefinition>(
	definition: D,
	handler: (call: RouteCall<D>) => Promise<RouteAnswer | Response>,
): RouteHandler {
	const answer: RouteHandler["answer"] = async (request, rawParams) => {
		const requestId = crypto.randomUUID();
		let app: AppContext | null = null;
		const held: { watch?: ReturnType<typeof watchCredential> } = {};
		try {
			app = appContext();
			const params = parseParams(definition, rawParams);
			const url = new URL(request.url);
			const { actor, headers } = await admit(app, definition, request.method, request.headers, url);
			const ctx = actor === null ? null : contextFor(app, actor, clientAddress(request.headers));
			if (ctx !== null) definition.authorize?.(ctx);
			const { query, body } = await readInput(definition, request, url);
			const answer = await handler({
				ctx,
				app,
				params,
				query,
				body,
				request,
				// Made when it is asked for: few routes wait, and joining signals costs.
				get signal() {
					if (actor !== null) held.watch ??= watchCredential(app as AppContext, request.headers, actor);
					const ends = [request.signal, (app as AppContext).stopping];
					return AbortSignal.any(held.watch === undefined ? ends : [...ends, held.watch.signal]);
				},
			} as RouteCall<D>);
			// Who waited for the answer is not let in any more.
			if (held.watch?.signal.aborted === true) throw unauthorized();
			return answer instanceof Response ? answer : plainAnswer(answer, { "x-request-id": requestId, ...headers });
		} catch (error) {
			const { status, headers, body } = problemAnswer(error, requestId, app?.log ?? null);
			return { status, headers, text: JSON.stringify(body) };
		} finally {
			held.watch?.end();
		}
	};
	const handle = async (request: Request, next: NextParams): Promise<Response> => {
		const plain = await answer(request, (await next.params) as Record<string, string>);
		return plain instanceof Response ? plain : new Response(plain.text, plain);
	};
	return Object.assign(handle, { definition, answer });
}

async function readInput(definition: RouteDefinition, request: Request, url: URL) {
	const { query, faults } = parseQuery(definition, url);
	if (definition.body === undefined) {
		if (faults.length > 0) throw invalid(faults);
		return { query, body: undefined };
	}
	const raw = await readJsonBody(request, maxBodyBytes(definition));
	const parsed = definition.body.safeParse(raw);
	if (parsed.success && faults.length === 0) return { query, body: parsed.data };
	const issues = parsed.error?.issues ?? [];
	throw invalid([...faults, ...faultsOf(issues, raw, MAX_FAULTS)], faults.length + countFaults(issues));
}

function plainAnswer(answer: RouteAnswer, told: Record<string, string>): PlainAnswer {
	const headers = { "cache-control": "no-store", ...told, ...answer.headers };
	if (answer.body === undefined) return { status: answer.status, headers, text: null };
	return {
		status: answer.status,
		headers: { "content-type": "application/json", ...headers },
		text: JSON.stringify(answer.body),
	};
}
