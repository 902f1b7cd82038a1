/** The HTTP entry point: dispatches /v1 to the API's routes, /api/auth to better-auth, and everything else to Next. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { assertSameOrigin } from "#lib/access/same-origin.ts";
import { handleAuth } from "#lib/auth/better-auth/audit-sessions.ts";
import { markPeer, type ProxyTrust } from "#lib/auth/sign-in/client-address.ts";
import type { Log } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { AppContext } from "./app-context.ts";
import { bodyLimit, limitBody } from "./limit-body.ts";
import { problemResponse, sendProblem } from "./problem.ts";
import type { RouteHandler } from "./route.ts";
import { matchRoute, type RouteEntry, type RouteMatch } from "./route-table.ts";
import { contentSecurityPolicy, pageSecurityHeaders, sharedPageHeaders } from "./security-headers.ts";
import { handleStream } from "./stream.ts";

export type PageHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;
export type Entry = {
	/** Null until startup has finished; until then calls are answered 503. */
	app: AppContext | null;
	/** Health checks are answered 503, everything else as before. */
	draining: boolean;
	routes: readonly RouteEntry[];
	pages: PageHandler | null;
	development: boolean;
	/** Headers of every response (securityHeaders). */
	headers: readonly (readonly [string, string])[];
	/** Overrides the timeout of limit-body.ts; for tests. */
	bodyTimeoutMs?: number | undefined;
	/** Proxies whose forwarded headers are trusted. */
	trusts: ProxyTrust;
};

/** The endpoints of better-auth that are reachable over HTTP. The others have no page that uses them. */
const AUTH_PATHS = new Set([
	"/api/auth/sign-in/email",
	"/api/auth/sign-out",
	"/api/auth/get-session",
	"/api/auth/organization/set-active",
	"/api/auth/sign-in/social",
	"/api/auth/link-social",
	"/api/auth/callback/oidc",
]);

/**
 * @returns the request listener of the HTTP server. It reads `entry` on each request, so startup can fill it in later.
 */
export function createEntry(entry: Entry): (req: IncomingMessage, res: ServerResponse) => void {
	return (req, res) => {
		markPeer(req, entry.trusts);
		for (const [name, value] of entry.headers) res.setHeader(name, value);
		const malformed = malformationOf(req);
		if (malformed !== null) return sendProblem(malformed, crypto.randomUUID(), null, req, res);
		const url = new URL(`http://localhost${req.url}`);
		const { pathname } = url;
		const isApi = pathname === "/v1" || pathname.startsWith("/v1/") || pathname === "/metrics";
		const match: RouteMatch = isApi ? matchRoute(entry.routes, req.method ?? "GET", pathname) : { kind: "none" };
		const definition = match.kind === "found" ? match.entry.definition : undefined;
		const refused = limitBody(req, res, bodyLimit(definition, entry.bodyTimeoutMs));
		const call: Call = { req, res, url, refused, log: entry.app?.log ?? null };
		if (isApi) void api(entry, match, call);
		else if (pathname.startsWith("/api/auth/")) void auth(entry, call);
		else void page(entry, call);
	};
}

type Call = {
	req: IncomingMessage;
	res: ServerResponse;
	url: URL;
	/** Rejects when the body is too large or too slow (limitBody). */
	refused: Promise<never> | null;
	/** Null until startup has finished. */
	log: Log | null;
};

/** Refuses requests that a proxy and this server could interpret differently, and requests meant for another server. */
function malformationOf(req: IncomingMessage): TapedeckError | null {
	const malformed = (detail: string) => new TapedeckError("bad_request", detail, { headers: { connection: "close" } });
	if (req.url?.startsWith("/") !== true) {
		return malformed("Send a path that starts with /, such as /v1/jobs, as the request target.");
	}
	const hosts = req.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
	if (hosts === 1 || (hosts === 0 && req.httpVersion === "1.0")) return null;
	return malformed(`The request has ${hosts} Host headers. Send one.`);
}

async function api(entry: Entry, match: RouteMatch, call: Call): Promise<void> {
	const { app } = entry;
	const { req, res, url } = call;
	if (app === null || app.stopping.aborted) {
		const message = app === null ? "Tapedeck is starting. Try again in a moment." : "Tapedeck is stopping.";
		if (url.pathname === "/v1/health") return answer(call, () => health(app === null ? "starting" : "stopping", 503));
		return answer(call, () => refuse(new TapedeckError("unavailable", message)));
	}
	if (entry.draining && url.pathname === "/v1/health") return answer(call, () => health("stopping", 503));
	if (match.kind === "found") {
		const { web, stream } = match.entry;
		if (stream !== undefined) return handleStream(app, stream, match.params, url, req, res);
		if (web !== undefined) return answer(call, (request) => callRoute(web, request, match.params, res));
	}
	if (match.kind === "wrong_method") {
		const allow = match.allow.join(", ");
		if (req.method === "OPTIONS") return answer(call, () => new Response(null, { status: 204, headers: { allow } }));
		const detail = `${url.pathname} does not support ${req.method}. Use ${allow}.`;
		return answer(call, () => refuse(new TapedeckError("method_not_allowed", detail, { headers: { allow } })));
	}
	const detail = `No endpoint at ${url.pathname.slice(0, 200)}. See ${app.baseUrl}/docs.`;
	return answer(call, () => refuse(new TapedeckError("not_found", detail)));
}

const health = (status: string, code: number): Response =>
	Response.json({ status }, { status: code, headers: { "cache-control": "no-store" } });

const refuse = (error: TapedeckError): Response => problemResponse(error, crypto.randomUUID(), null);

/** Calls a route module. A plain answer is written directly. HEAD is GET without its body. */
async function callRoute(
	handler: RouteHandler,
	request: Request,
	params: Record<string, string>,
	res: ServerResponse,
): Promise<Response> {
	const answer = await handler.answer(request, params);
	const isHead = request.method === "HEAD";
	if (answer instanceof Response) {
		// An unread body would leak the resources behind it.
		if (isHead) await answer.body?.cancel();
		return isHead ? new Response(null, answer) : answer;
	}
	if (res.destroyed) return RESPONSE_ALREADY_SENT;
	const length = answer.text === null ? {} : { "content-length": Buffer.byteLength(answer.text) };
	res.writeHead(answer.status, { ...answer.headers, ...length });
	res.end(isHead || answer.text === null ? undefined : answer.text);
	return RESPONSE_ALREADY_SENT;
}

async function auth({ app }: Entry, call: Call): Promise<void> {
	if (app === null) return answer(call, () => refuse(new TapedeckError("unavailable", "Tapedeck is starting.")));
	if (!AUTH_PATHS.has(call.url.pathname))
		return answer(call, () => refuse(new TapedeckError("not_found", "Not found.")));
	return answer(call, async (request) => {
		assertSameOrigin(request.headers, request.method, app.auth.trustedOrigins);
		return handleAuth(app, await withWholeBody(request));
	});
}

/** Reads the body first: better-auth would report a body refused by limitBody as a server error. */
async function withWholeBody(request: Request): Promise<Request> {
	const { url, method, headers, signal } = request;
	if (method === "GET" || method === "HEAD") return request;
	return new Request(url, { method, headers, signal, body: await request.arrayBuffer() });
}

/** Converts Node's request to a Web request and the Web response back. Unread bodies are drained. */
function answer({ req, res, log }: Call, handler: (request: Request) => Response | Promise<Response>): Promise<void> {
	return getRequestListener(handler, {
		hostname: "localhost",
		overrideGlobalObjects: false,
		errorHandler: (error) => problemResponse(error, crypto.randomUUID(), log),
	})(req, res);
}

/** Serves a page with a Content-Security-Policy whose nonce Next reads from the request and puts on its scripts. */
async function page(entry: Entry, { req, res, refused }: Call): Promise<void> {
	if (entry.pages === null) {
		res.writeHead(503, { "content-type": "text/plain; charset=utf-8", "retry-after": "2" });
		res.end("Tapedeck is starting. Reload in a moment.\n");
		return;
	}
	const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), entry.development);
	// Overwritten so that clients cannot choose the nonce.
	req.headers["content-security-policy"] = policy;
	for (const [name, value] of pageSecurityHeaders(policy)) res.setHeader(name, value);
	if (req.url?.startsWith("/shared/")) for (const [name, value] of sharedPageHeaders) res.setHeader(name, value);
	try {
		const shown = entry.pages(req, res);
		await (refused === null ? shown : Promise.race([refused, shown]));
	} catch (error) {
		if (!res.headersSent) sendProblem(error, crypto.randomUUID(), entry.app?.log ?? null, req, res);
	}
}
