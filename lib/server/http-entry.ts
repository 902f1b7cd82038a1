/** The door of the process: /v1 to our routes, /api/auth to better-auth, everything else to Next. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { handleAuth } from "../auth/better-auth/audit-sessions.ts";
import { markPeer, type ProxyTrust } from "../auth/sign-in/peer.ts";
import { TapedeckError } from "../core/errors.ts";
import type { AppContext } from "./app-context.ts";
import { contentSecurityPolicy, pageSafety, sharedPageSafety } from "./browser-safety.ts";
import { bodyLimit, limitBody } from "./limit-body.ts";
import { problemResponse, sendProblem } from "./problem.ts";
import type { RouteHandler } from "./route.ts";
import { matchRoute, type RouteEntry, type RouteMatch } from "./route-table.ts";
import { handleStream } from "./stream-route.ts";

export type PageHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;
export type Door = {
	/** Null until everything is open: calls are answered 503 until then. */
	app: AppContext | null;
	routes: readonly RouteEntry[];
	pages: PageHandler | null;
	development: boolean;
	/** What every answer carries (browserSafety). */
	headers: readonly (readonly [string, string])[];
	/** In place of the limits of limit-body.ts; for tests. */
	bodyTimeoutMs?: number | undefined;
	/** Whose forwarded headers are believed. */
	trusts: ProxyTrust;
};

/** Calls that our sign-in serves over HTTP; the rest of better-auth's endpoints belong to pages that do not exist yet. */
const AUTH_PATHS = new Set([
	"/api/auth/sign-in/email",
	"/api/auth/sign-out",
	"/api/auth/get-session",
	"/api/auth/organization/set-active",
	"/api/auth/sign-in/social",
	"/api/auth/link-social",
	"/api/auth/callback/oidc",
]);

/** @returns the listener of the HTTP server. `door` is read at each request, so that it can be filled later. */
export function createDoor(door: Door): (req: IncomingMessage, res: ServerResponse) => void {
	return (req, res) => {
		markPeer(req, door.trusts);
		for (const [name, value] of door.headers) res.setHeader(name, value);
		const misfit = misfitOf(req);
		if (misfit !== null) return sendProblem(misfit, crypto.randomUUID(), null, req, res);
		const url = new URL(`http://localhost${req.url}`);
		const { pathname } = url;
		const isApi = pathname === "/v1" || pathname.startsWith("/v1/") || pathname === "/metrics";
		const match: RouteMatch = isApi ? matchRoute(door.routes, req.method ?? "GET", pathname) : { kind: "none" };
		const definition = match.kind === "found" ? match.entry.definition : undefined;
		const refused = limitBody(req, res, bodyLimit(definition, door.bodyTimeoutMs));
		const call: Call = { req, res, url, refused };
		if (isApi) void api(door, match, call);
		else if (pathname.startsWith("/api/auth/")) void auth(door, call);
		else void page(door, call);
	};
}

type Call = {
	req: IncomingMessage;
	res: ServerResponse;
	url: URL;
	/** Rejects when the body is larger or slower than it may be (limitBody). */
	refused: Promise<never> | null;
};

/** What a proxy and we could understand differently, and what is no request to this server, is not guessed at. */
function misfitOf(req: IncomingMessage): TapedeckError | null {
	const misfit = (detail: string) => new TapedeckError("bad_request", detail, { headers: { connection: "close" } });
	if (req.url?.startsWith("/") !== true) {
		return misfit("Send a path that begins with /, such as /v1/jobs, as the request's target.");
	}
	const hosts = req.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
	if (hosts === 1 || (hosts === 0 && req.httpVersion === "1.0")) return null;
	return misfit(`The request has ${hosts} Host headers. Send one.`);
}

async function api(door: Door, match: RouteMatch, call: Call): Promise<void> {
	const { app } = door;
	const { req, res, url } = call;
	if (app === null || app.stopping.aborted) {
		const message = app === null ? "Tapedeck is starting. Try again in a moment." : "Tapedeck is stopping.";
		if (url.pathname === "/v1/health") return answer(call, () => health(app === null ? "starting" : "stopping", 503));
		return answer(call, () => refuse(new TapedeckError("unavailable", message)));
	}
	if (match.kind === "found") {
		const { web, stream } = match.entry;
		if (stream !== undefined) return handleStream(app, stream, match.params, url, req, res);
		if (web !== undefined) return answer(call, (request) => callRoute(web, request, match.params, res));
	}
	if (match.kind === "wrong_method") {
		const allow = match.allow.join(", ");
		if (req.method === "OPTIONS") return answer(call, () => new Response(null, { status: 204, headers: { allow } }));
		const detail = `${url.pathname} does not take ${req.method}. It takes ${allow}.`;
		return answer(call, () => refuse(new TapedeckError("method_not_allowed", detail, { headers: { allow } })));
	}
	const detail = `There is no ${url.pathname.slice(0, 200)}. ${app.baseUrl}/docs lists what there is.`;
	return answer(call, () => refuse(new TapedeckError("not_found", detail)));
}

const health = (status: string, code: number): Response =>
	Response.json({ status }, { status: code, headers: { "cache-control": "no-store" } });

const refuse = (error: TapedeckError): Response => problemResponse(error, crypto.randomUUID(), null);

/** Calls a route module. A plain answer is written as it is; HEAD is GET without its body. */
async function callRoute(
	handler: RouteHandler,
	request: Request,
	params: Record<string, string>,
	res: ServerResponse,
): Promise<Response> {
	const answer = await handler.answer(request, params);
	const isHead = request.method === "HEAD";
	if (answer instanceof Response) {
		// A body that nobody reads would leak what it holds open.
		if (isHead) await answer.body?.cancel();
		return isHead ? new Response(null, answer) : answer;
	}
	if (res.destroyed) return RESPONSE_ALREADY_SENT;
	const length = answer.text === null ? {} : { "content-length": Buffer.byteLength(answer.text) };
	res.writeHead(answer.status, { ...answer.headers, ...length });
	res.end(isHead || answer.text === null ? undefined : answer.text);
	return RESPONSE_ALREADY_SENT;
}

async function auth({ app }: Door, call: Call): Promise<void> {
	if (app === null) return answer(call, () => refuse(new TapedeckError("unavailable", "Tapedeck is starting.")));
	if (!AUTH_PATHS.has(call.url.pathname))
		return answer(call, () => refuse(new TapedeckError("not_found", "There is nothing here.")));
	return answer(call, async (request) => handleAuth(app, await withWholeBody(request)));
}

/** better-auth would report a body that is refused while it reads (limitBody) as a fault of the server. */
async function withWholeBody(request: Request): Promise<Request> {
	const { url, method, headers, signal } = request;
	if (method === "GET" || method === "HEAD") return request;
	return new Request(url, { method, headers, signal, body: await request.arrayBuffer() });
}

/** Turns Node's request into a Web request, and the Web response back. Bodies that were not read are drained. */
function answer({ req, res }: Call, handler: (request: Request) => Response | Promise<Response>): Promise<void> {
	return getRequestListener(handler, {
		hostname: "localhost",
		overrideGlobalObjects: false,
		errorHandler: (error) => problemResponse(error, crypto.randomUUID(), null),
	})(req, res);
}

/** Pages carry a Content-Security-Policy with a nonce, which Next reads from the request and puts on its scripts. */
async function page(door: Door, { req, res, refused }: Call): Promise<void> {
	if (door.pages === null) {
		res.writeHead(503, { "content-type": "text/plain; charset=utf-8", "retry-after": "2" });
		res.end("Tapedeck is starting. Reload in a moment.\n");
		return;
	}
	const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), door.development);
	// Overwritten, so that no client chooses the nonce.
	req.headers["content-security-policy"] = policy;
	for (const [name, value] of pageSafety(policy)) res.setHeader(name, value);
	if (req.url?.startsWith("/shared/")) for (const [name, value] of sharedPageSafety) res.setHeader(name, value);
	try {
		const shown = door.pages(req, res);
		await (refused === null ? shown : Promise.race([refused, shown]));
	} catch (error) {
		if (!res.headersSent) sendProblem(error, crypto.randomUUID(), door.app?.log ?? null, req, res);
	}
}
