/**
 * An endpoint as a declaration. `route` makes an ordinary Next route handler (Request in, Response out) that does
 * authentication, authorization, parsing and error handling.
 *
 * Checks run in this order: route and method (before this), credentials, rate limit, same origin, permission, size,
 * media type, JSON, validation, existence (in the operation).
 */
import type * as z from "zod";
import { watchCredential } from "#lib/auth/credentials/watch-credential.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { countFaults, faultsOf } from "#lib/contract/faults.ts";
import { invalid, MAX_FAULTS, TapedeckError } from "#lib/core/errors.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { admit, parseParams, parseQuery } from "./admit.ts";
import { type AppContext, appContext, contextFor } from "./app-context.ts";
import { bodyTooLarge, maxBodyBytes } from "./limit-body.ts";
import { problemAnswer, unauthorized } from "./problem.ts";
import type { RouteDefinition } from "./route-definition.ts";

export { pathId } from "./route-definition.ts";

type Output<T, Fallback> = T extends z.ZodType ? z.output<T> : Fallback;
/** Path parameters as Next passes them. */
type NextParams = { params: Promise<Record<string, string | string[]>> };

export type RouteCall<D extends RouteDefinition> = {
	/** Null only on public routes called without credentials. */
	ctx: D extends { permission: "public" } ? RecordingContext | null : RecordingContext;
	app: AppContext;
	params: Output<D["params"], Record<string, never>>;
	query: Output<D["query"], Record<string, never>>;
	body: Output<D["body"], undefined>;
	request: Request;
	/** The caller disconnected or lost access, or the server is stopping. */
	signal: AbortSignal;
};
export type RouteAnswer = { status: number; body?: unknown; headers?: Record<string, string> };
/** A response not yet wrapped in a Response, which the HTTP entry point can write directly. */
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
			const { query, body } = await readInput(definition, request, url);
			const answer = await handler({
				ctx,
				app,
				params,
				query,
				body,
				request,
				// Created on first use: few routes wait, and combining signals is not free.
				get signal() {
					if (actor !== null) held.watch ??= watchCredential(app as AppContext, request.headers, actor);
					const ends = [request.signal, (app as AppContext).stopping];
					return AbortSignal.any(held.watch === undefined ? ends : [...ends, held.watch.signal]);
				},
			} as RouteCall<D>);
			// The caller lost access while waiting for the answer.
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

/**
 * Reads a JSON body. Size and time are also limited while its bytes arrive (limit-body.ts).
 * @param maxBytes a larger Content-Length is refused without reading the body.
 * @throws payload_too_large, unsupported_media_type, invalid_json; checked in this order.
 */
async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
	if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
	const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
	if (type !== "application/json") {
		throw new TapedeckError("unsupported_media_type", "Send JSON, with the header Content-Type: application/json.");
	}
	const bytes = await request.arrayBuffer();
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch (cause) {
		const why = bytes.byteLength === 0 ? "it is empty" : cause instanceof Error ? cause.message : "it cannot be parsed";
		throw new TapedeckError("invalid_json", `The body is not JSON: ${why}. Send a JSON object in UTF-8.`, { cause });
	}
}

function plainAnswer(answer: RouteAnswer, callHeaders: Record<string, string>): PlainAnswer {
	const headers = { "cache-control": "no-store", ...callHeaders, ...answer.headers };
	if (answer.body === undefined) return { status: answer.status, headers, text: null };
	return {
		status: answer.status,
		headers: { "content-type": "application/json", ...headers },
		text: JSON.stringify(answer.body),
	};
}
