/**
 * An endpoint as a declaration. `route` adds authentication, authorization, parsing and error handling. The HTTP entry
 * point calls its `answer`.
 *
 * Checks run in this order: route and method (before this), credentials, rate limit, same origin, permission, size,
 * media type, JSON, validation, existence (in the operation).
 */
import { countFaults, faultsOf } from "@tapedeck/contract/faults.ts";
import { TIME_HEADER } from "@tapedeck/contract/headers.ts";
import { plainType } from "@tapedeck/contract/media-type.ts";
import type * as z from "zod";
import { type AccessWatch, watchCredential } from "#lib/auth/credentials/watch-credential.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { type CallSignal, callSignal, onAbort, type Subscribe } from "#lib/core/call-signal.ts";
import type { Actor } from "#lib/core/context.ts";
import { invalid, MAX_FAULTS, TapedeckError } from "#lib/core/errors.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "#lib/core/json-depth.ts";
import { timestamp } from "#lib/core/times.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { type AppContext, appContext, contextFor } from "./app-context.ts";
import { authenticateRequest, parseParams, parseQuery } from "./authenticate-request.ts";
import { problemAnswer, unauthorized } from "./problem.ts";
import { bodyTooLarge, maxBodyBytes, type RouteRequest } from "./read-request.ts";
import { requestId } from "./request-log.ts";
import type { RouteDefinition } from "./route-definition.ts";

export { pathId, pathIds } from "./route-definition.ts";

type Output<T, Fallback> = T extends z.ZodType ? z.output<T> : Fallback;

export type RouteCall<D extends RouteDefinition> = {
	/** Null only on public routes called without credentials. */
	ctx: D extends { permission: "public" } ? RecordingContext | null : RecordingContext;
	app: AppContext;
	params: Output<D["params"], Record<string, never>>;
	query: Output<D["query"], Record<string, never>>;
	body: Output<D["body"], undefined>;
	request: RouteRequest;
	/** The caller disconnected or lost access, or the server is stopping. */
	signal: AbortSignal;
};
/** An answer with headers of its own, or with one of several statuses of success. */
export class Answer {
	readonly status: number;
	readonly body: unknown;
	readonly headers: Record<string, string>;

	constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
		this.status = status;
		this.body = body;
		this.headers = headers;
	}
}
type BodyOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;
/** A response not yet wrapped in a Response, which the HTTP entry point can write directly. */
export type PlainAnswer = { status: number; headers: Record<string, string>; text: string | null };
export type RouteHandler = {
	definition: RouteDefinition;
	answer: (request: RouteRequest, params: Record<string, string>) => Promise<PlainAnswer | Response>;
};

/**
 * @param handler returns the body. Its status is the one of success that the definition declares.
 * @returns a handler for `export const GET = …` in app/v1/**\/route.ts.
 */
export function route<const D extends RouteDefinition>(
	definition: D,
	handler: (call: RouteCall<D>) => Promise<BodyOf<D["answers"][keyof D["answers"]]> | Answer | Response>,
): RouteHandler {
	const success = successOf(definition.answers);
	const answer: RouteHandler["answer"] = async (request, rawParams) => {
		const beganAt = performance.now();
		let app: AppContext | null = null;
		let call: HandledCall | null = null;
		try {
			app = appContext();
			const params = parseParams(definition, rawParams);
			const { actor, headers } = await authenticateRequest(
				app,
				definition,
				request.method,
				request.headers,
				request.url,
			);
			const { query, body } = await readInput(definition, request);
			call = new HandledCall(app, request, actor, { params, query, body });
			const answer = await handler(call as unknown as RouteCall<D>);
			if (call.hasLostAccess) throw unauthorized();
			const always = { "x-request-id": requestId(), ...timeOf(app, beganAt), ...headers };
			if (answer instanceof Answer) return plainAnswer(answer, always);
			if (!(answer instanceof Response)) return plainAnswer(success(answer), always);
			for (const [name, value] of Object.entries(always)) answer.headers.set(name, value);
			return answer;
		} catch (error) {
			const { status, headers, body } = problemAnswer(error, requestId(), app?.log ?? null);
			return { status, headers: { ...timeOf(app, beganAt), ...headers }, text: JSON.stringify(body) };
		} finally {
			call?.release();
		}
	};
	return { definition, answer };
}

/** @returns the answer with a body, of a route that has one status of success. */
function successOf(answers: RouteDefinition["answers"]): (body: unknown) => Answer {
	const statuses = Object.keys(answers)
		.map(Number)
		.filter((status) => status < 300);
	const [status = 200] = statuses;
	const hasBody = answers[status] !== null;
	return (body) => {
		if (statuses.length > 1) throw new Error(`Choose one of the statuses ${statuses.join(", ")}.`);
		return new Answer(status, hasBody ? body : undefined);
	};
}

/** A call while its handler runs. A class, because V8 keeps an object literal with a getter as a large hash table. */
class HandledCall {
	readonly ctx: RecordingContext | null;
	readonly app: AppContext;
	readonly params: unknown;
	readonly query: unknown;
	readonly body: unknown;
	readonly request: RouteRequest;
	readonly #actor: Actor | null;
	#signal: CallSignal | null = null;
	#access: AccessWatch | null = null;

	constructor(
		app: AppContext,
		request: RouteRequest,
		actor: Actor | null,
		{ params, query, body }: { params: unknown; query: unknown; body: unknown },
	) {
		this.ctx = actor === null ? null : contextFor(app, actor, clientAddress(request.headers));
		this.app = app;
		this.params = params;
		this.query = query;
		this.body = body;
		this.request = request;
		this.#actor = actor;
	}

	/** Created on first use: few routes wait. */
	get signal(): AbortSignal {
		const onLostAccess: Subscribe = (listener) => {
			if (this.#actor === null) return () => undefined;
			const watch = watchCredential(this.app, this.request.headers, this.#actor, listener);
			this.#access = watch;
			return () => watch.end();
		};
		this.#signal ??= callSignal(this.request.onDisconnect, onAbort(this.app.stopping), onLostAccess);
		return this.#signal.signal;
	}

	/** Whether the caller lost access while waiting for the answer. */
	get hasLostAccess(): boolean {
		return this.#access?.isLost === true;
	}

	release(): void {
		this.#signal?.release();
	}
}

async function readInput(definition: RouteDefinition, request: RouteRequest) {
	const { query, faults } = parseQuery(definition, request.url);
	if (definition.body === undefined) {
		if (faults.length > 0) throw invalid(faults);
		return { query, body: undefined };
	}
	const raw = await readJsonBody(request, maxBodyBytes(definition));
	// A runner's report is never refused as a whole: its operation drops the parts that are nested too deeply.
	if (definition.permission !== "runner:act" && isTooDeep(raw)) {
		const message = `The body is nested more than ${MAX_JSON_DEPTH} levels deep. Send fewer levels.`;
		throw invalid({ path: "", code: "too_deep", message });
	}
	const parsed = definition.body.safeParse(raw);
	if (parsed.success && faults.length === 0) return { query, body: parsed.data };
	const issues = parsed.error?.issues ?? [];
	throw invalid([...faults, ...faultsOf(issues, raw, MAX_FAULTS)], faults.length + countFaults(issues));
}

/** Shared by all requests: it keeps no state between bodies. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body.
 * @param maxBytes a larger Content-Length is refused without reading the body.
 * @throws payload_too_large, unsupported_media_type, request_timeout, bad_request, invalid_json; checked in this order.
 */
async function readJsonBody(request: RouteRequest, maxBytes: number): Promise<unknown> {
	if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
	if (plainType(request.headers.get("content-type")) !== "application/json") {
		throw new TapedeckError("unsupported_media_type", "Send JSON, with the header Content-Type: application/json.");
	}
	const bytes = await request.body(maxBytes);
	try {
		return JSON.parse(UTF8.decode(bytes));
	} catch (cause) {
		const why = bytes.byteLength === 0 ? "it is empty" : cause instanceof Error ? cause.message : "it cannot be parsed";
		throw new TapedeckError("invalid_json", `The body is not JSON: ${why}. Send a JSON object in UTF-8.`, { cause });
	}
}

/** When it answers, for clients whose clock is wrong. */
function timeOf(app: AppContext | null, beganAt: number): Record<string, string> {
	if (app === null) return {};
	const took = Math.floor(performance.now() - beganAt);
	return { [TIME_HEADER]: `${timestamp(app.clock.now())}; dur=${took}` };
}

function plainAnswer(answer: Answer, callHeaders: Record<string, string>): PlainAnswer {
	const headers = { "cache-control": "no-store", ...callHeaders, ...answer.headers };
	if (answer.body === undefined) return { status: answer.status, headers, text: null };
	return {
		status: answer.status,
		headers: { "content-type": "application/json", ...headers },
		text: JSON.stringify(answer.body),
	};
}
