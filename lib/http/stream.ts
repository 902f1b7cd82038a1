/**
 * An endpoint with a large or open-ended body (video, uploads, events): declared like `route`, handled with Node's own
 * streams. For `export const GET = stream(…)` in app/v1/**\/stream.ts.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type * as z from "zod";
import { bearerToken } from "#lib/auth/credentials/authenticate.ts";
import { type AccessWatch, watchCredential, watchLink } from "#lib/auth/credentials/watch-credential.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { type CallSignal, callSignal, onAbort, onClose, type Subscribe } from "#lib/core/call-signal.ts";
import type { Actor } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import type { RequestBody } from "#lib/core/read-jpeg.ts";
import { IncomingHeaders } from "#lib/core/request-headers.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { type AppContext, contextFor } from "./app-context.ts";
import { authenticateByLink, authenticateRequest, parseParams, parseQuery } from "./authenticate-request.ts";
import { sendProblem } from "./problem.ts";
import { readBody } from "./read-request.ts";
import { requestId } from "./request-log.ts";
import type { RouteDefinition } from "./route-definition.ts";

type Output<T, Fallback> = T extends z.ZodType ? z.output<T> : Fallback;

export type StreamDefinition = RouteDefinition & {
	/**
	 * Authorizes by the URL alone; null when it carries no link. A Bearer token takes precedence, except on public
	 * endpoints.
	 * @throws when the link is invalid or expired.
	 */
	// biome-ignore lint/suspicious/noExplicitAny: what the definition's own schema made of the path
	byLink?: (app: AppContext, params: any, url: URL) => Promise<Actor> | null;
};

export type StreamCall<D extends StreamDefinition = StreamDefinition> = {
	ctx: RecordingContext;
	app: AppContext;
	params: Output<D["params"], Record<string, never>>;
	query: Output<D["query"], Record<string, never>>;
	req: IncomingMessage;
	res: ServerResponse;
	/** A body that is no file; files are read from `req`. */
	body: RequestBody;
	/** The caller disconnected or lost access, or the server is stopping. */
	signal: AbortSignal;
};

export type StreamHandler = {
	definition: StreamDefinition;
	// biome-ignore lint/suspicious/noExplicitAny: each handler knows the params and query of its own definition
	handle: (call: StreamCall<any>) => Promise<void>;
};

/** @returns a handler that the route table finds by the name of its export, which is the method. */
export const stream = <const D extends StreamDefinition>(
	definition: D,
	handle: (call: StreamCall<D>) => Promise<void>,
): StreamHandler => ({ definition, handle });

type ReceivedCall = { req: IncomingMessage; res: ServerResponse; url: URL; bodyTimeoutMs: number | undefined };

/** A request header that was sent exactly once; null otherwise. */
export function headerOf({ headers }: IncomingMessage, name: string): string | null {
	const value = headers[name];
	return typeof value === "string" ? value : null;
}

/** Admits the call and runs the handler. Errors before the response has begun become problem documents. */
export async function handleStream(
	app: AppContext,
	{ definition, handle }: StreamHandler,
	rawParams: Record<string, string>,
	{ req, res, url, bodyTimeoutMs }: ReceivedCall,
): Promise<void> {
	const id = requestId();
	let release: () => void = () => {};
	let watch: AccessWatch | null = null;
	const held: { over?: CallSignal; onLoss?: () => void } = {};
	try {
		const params = parseParams(definition, rawParams);
		const headers = new IncomingHeaders(req);
		const isByLink = definition.permission === "public" || bearerToken(headers) === null;
		const follow = () => (isByLink ? (definition.byLink?.(app, params, url) ?? null) : null);
		const byLink = follow();
		const { actor, headers: limits } = await (byLink === null
			? authenticateRequest(app, definition, req.method ?? "GET", headers, url)
			: authenticateByLink(app, byLink, headers));
		if (actor === null)
			throw new Error(`${url.pathname} is a stream, which needs a caller, but its permission is public`);
		const { query, faults } = parseQuery(definition, url);
		if (faults.length > 0) throw invalid(faults);
		for (const [name, value] of Object.entries({ "x-request-id": id, ...limits })) res.setHeader(name, value);
		const ctx = contextFor(app, actor, clientAddress(headers));
		if (definition.streaming === true) release = app.limits.open("streams", ctx);
		if (definition.download === true) release = app.limits.open("downloads", ctx);
		// A link can be revoked or expire like a credential.
		// Stop the stream once access is revoked.
		const onLoss = () => {
			held.onLoss?.();
			setImmediate(() => res.writableEnded || res.destroy());
		};
		watch =
			byLink === null
				? watchCredential(app, headers, actor, onLoss)
				: watchLink(app, url, actor, async () => follow(), onLoss);
		const onLostAccess: Subscribe = (listener) => {
			held.onLoss = listener;
			return () => undefined;
		};
		await handle({
			ctx,
			app,
			params,
			query,
			req,
			res,
			body: {
				type: headerOf(req, "content-type"),
				read: (maxBytes) => readBody(req, { maxBytes, timeoutMs: bodyTimeoutMs }),
			},
			// Created on first use: uploads do without.
			get signal() {
				held.over ??= callSignal(onClose(res), onAbort(app.stopping), onLostAccess);
				return held.over.signal;
			},
		});
	} catch (error) {
		answerProblem(error, id, app, req, res);
	} finally {
		release();
		watch?.end();
		held.over?.release();
	}
}

/** Answers with JSON. */
export function sendJson(
	res: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	const text = JSON.stringify(body);
	res.writeHead(status, {
		"content-type": "application/json",
		"content-length": Buffer.byteLength(text),
		"cache-control": "no-store",
		...headers,
	});
	res.end(text);
}

function answerProblem(
	error: unknown,
	requestId: string,
	app: AppContext,
	req: IncomingMessage,
	res: ServerResponse,
): void {
	if (res.headersSent) {
		// Destroyed so that a truncated response does not look complete.
		if (!res.writableEnded && !res.destroyed) {
			app.log.error({ err: error, requestId }, "a stream failed");
			res.destroy();
		}
		return;
	}
	if (!res.destroyed) sendProblem(error, requestId, app.log, req, res);
}
