/** Routes whose bodies are big or endless: declared like the others, handled with Node's own streams. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { bearerToken } from "../auth/credentials/authenticate.ts";
import { clientAddress } from "../auth/sign-in/peer.ts";
import { type Watch, watchActor, watchCredential } from "../auth/watch-credential.ts";
import type { Actor, Context } from "../core/context.ts";
import { invalid } from "../core/errors.ts";
import { admit, admitByLink, parseParams, parseQuery } from "./admit.ts";
import { type AppContext, contextFor } from "./app-context.ts";
import { sendProblem } from "./problem.ts";
import type { RouteDefinition } from "./route-definition.ts";

export type StreamCall = {
	ctx: Context;
	app: AppContext;
	// biome-ignore lint/suspicious/noExplicitAny: what the definition's own schema made of it
	params: any;
	// biome-ignore lint/suspicious/noExplicitAny: what the definition's own schema made of it
	query: any;
	req: IncomingMessage;
	res: ServerResponse;
	/** The caller went away, or is not let in any more, or the server stops. */
	signal: AbortSignal;
};

export type StreamRoute = {
	method: string;
	/** `/v1/recordings/:recordingId/video` */
	path: string;
	definition: RouteDefinition;
	/**
	 * Who may by the address alone: null when it carries no such link. A Bearer token goes before.
	 * @throws what is wrong with the link.
	 */
	// biome-ignore lint/suspicious/noExplicitAny: what the definition's own schema made of it
	byLink?: (app: AppContext, params: any, url: URL) => Promise<Actor> | null;
	handler: (call: StreamCall) => Promise<void>;
};

/** Node's header object as the Web's. */
export function webHeaders(req: IncomingMessage): Headers {
	const headers = new Headers();
	for (let index = 0; index + 1 < req.rawHeaders.length; index += 2) {
		headers.append(req.rawHeaders[index] as string, req.rawHeaders[index + 1] as string);
	}
	return headers;
}

/** Admits the call and hands it on; what is thrown before the answer began becomes a problem document. */
export async function handleStream(
	app: AppContext,
	streamRoute: StreamRoute,
	rawParams: Record<string, string>,
	url: URL,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<void> {
	const requestId = crypto.randomUUID();
	const gone = new AbortController();
	const onClose = () => gone.abort();
	let closed: () => void = () => {};
	res.once("close", onClose);
	let watch: Watch | null = null;
	try {
		const { definition } = streamRoute;
		const params = parseParams(definition, rawParams);
		const headers = webHeaders(req);
		const isByLink = definition.open === true || bearerToken(headers) === null;
		const follow = () => (isByLink ? (streamRoute.byLink?.(app, params, url) ?? null) : null);
		const byLink = follow();
		const { actor, headers: told } = await (byLink === null
			? admit(app, definition, req.method ?? "GET", headers, url)
			: admitByLink(app, byLink, headers));
		if (actor === null) throw new Error(`the stream route ${streamRoute.path} must not be open`);
		const { query, faults } = parseQuery(definition, url);
		if (faults.length > 0) throw invalid(faults);
		for (const [name, value] of Object.entries({ "x-request-id": requestId, ...told })) res.setHeader(name, value);
		if (definition.endless === true) closed = app.limits.openStream(actor);
		// A link that was ended, or whose time is over, is judged again like a credential.
		watch = byLink === null ? watchCredential(app, headers, actor) : watchActor(app, actor, async () => follow());
		// Whoever is not let in any more gets no byte more, and none is taken.
		watch.signal.addEventListener("abort", () => setImmediate(() => res.writableEnded || res.destroy()));
		const signal = AbortSignal.any([gone.signal, app.stopping, watch.signal]);
		const ctx = contextFor(app, actor, clientAddress(headers));
		await streamRoute.handler({ ctx, app, params, query, req, res, signal });
	} catch (error) {
		answerProblem(error, requestId, app, req, res);
	} finally {
		closed();
		watch?.end();
		res.off("close", onClose);
	}
}

function answerProblem(
	error: unknown,
	requestId: string,
	app: AppContext,
	req: IncomingMessage,
	res: ServerResponse,
): void {
	if (res.headersSent) {
		// Half an answer must not look whole.
		if (!res.writableEnded && !res.destroyed) {
			app.log.error({ err: error, requestId }, "a stream broke");
			res.destroy();
		}
		return;
	}
	if (!res.destroyed) sendProblem(error, requestId, app.log, req, res);
}
