/** The HTTP entry point: dispatches /v1 to the API's routes, /api/auth to better-auth, and everything else to Next. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { assertSameOrigin } from "#lib/access/same-origin.ts";
import { handleAuth } from "#lib/auth/better-auth/audit-sessions.ts";
import { authenticate } from "#lib/auth/credentials/authenticate.ts";
import { markCaller, markPeer, type ProxyTrust } from "#lib/auth/sign-in/client-address.ts";
import type { Log } from "#lib/core/context.ts";
import { isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { IncomingHeaders, type RequestHeaders } from "#lib/core/request-headers.ts";
import { answerElsewhere, noteForwarded } from "#lib/nodes/files-at.ts";
import { notReachable } from "#lib/nodes/forward.ts";
import { answerByOtherBuild } from "#lib/nodes/other-builds.ts";
import type { AppContext } from "./app-context.ts";
import { answerCrossOrigin } from "./cross-origin.ts";
import { isDatabaseAway, sendDatabaseAway } from "./database-away.ts";
import { problemAnswer, problemResponse, sendProblem } from "./problem.ts";
import { bodyArrived, brokenBody, IncomingRequest, MAX_UNAUTHENTICATED_BODY_BYTES } from "./read-request.ts";
import { asRequest, logRequest, requestId } from "./request-log.ts";
import type { PlainAnswer, RouteHandler } from "./route.ts";
import { matchRoute, type RouteEntry, type RouteMatch } from "./route-table.ts";
import { contentSecurityPolicy, pageSecurityHeaders, sharedPageHeaders } from "./security-headers.ts";
import { handleStream } from "./stream.ts";

export type PageHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;
export type Pages = {
	handle: PageHandler;
	/** Paths of the build's scripts, styles and fonts; null in development, when they are made as they are needed. */
	assets: ReadonlySet<string> | null;
};
export type Entry = {
	/** Null until startup has finished. */
	app: AppContext | null;
	/** Health checks are answered 503, everything else as before, on connections that are then closed. */
	draining: boolean;
	routes: readonly RouteEntry[];
	pages: Pages | null;
	development: boolean;
	/** Headers of every response (securityHeaders). */
	headers: Readonly<Record<string, string>>;
	/** Other origins whose pages may call /v1 with an API key. */
	allowedOrigins: readonly string[];
	/** Origins whose pages may show shared pages in a frame. */
	embedOrigins: readonly string[];
	/** The maximum time for a body to arrive; for tests. */
	bodyTimeoutMs?: number | undefined;
	/** Proxies whose forwarded headers are trusted. */
	trusts: ProxyTrust;
	/** Whether the log has a line for refused and failed requests only. */
	logsRefusedOnly: boolean;
};

/** Paths of API routes, in addition to everything below /v1. */
const API_PATHS = new Set([
	"/v1",
	"/metrics",
	"/install.sh",
	"/mcp",
	"/skill.md",
	"/.well-known/agent-skills/index.json",
	"/.well-known/tapedeck-keys.json",
]);

/** The endpoints of better-auth that are reachable over HTTP. The others have no page that uses them. */
const AUTH_PATHS = new Set([
	"/api/auth/sign-in/email",
	"/api/auth/sign-out",
	"/api/auth/get-session",
	"/api/auth/organization/set-active",
	"/api/auth/sign-in/social",
	"/api/auth/two-factor/verify-backup-code",
	"/api/auth/two-factor/verify-totp",
	"/api/auth/passkey/generate-authenticate-options",
	"/api/auth/passkey/verify-authentication",
	"/api/auth/link-social",
	"/api/auth/callback/oidc",
]);

/**
 * @returns the request listener of the HTTP server. It reads `entry` on each request, so startup can fill it in later.
 */
export function createEntry(entry: Entry): (req: IncomingMessage, res: ServerResponse) => void {
	const answer = answerWith(entry);
	return (req, res) =>
		asRequest(() => {
			logRequest(req, res, entry.logsRefusedOnly, () => entry.app?.log ?? null);
			answer(req, res);
		});
}

function answerWith(entry: Entry): (req: IncomingMessage, res: ServerResponse) => void {
	return (req, res) => {
		markPeer(req, entry.trusts);
		const passedOn = entry.app?.callSigner.verify(req) ?? { kind: "no" };
		const refuseUnread = (error: TapedeckError) => {
			setHeaders(res, entry.headers);
			sendProblem(error, requestId(), null, req, res);
		};
		if (passedOn.kind === "refused") return refuseUnread(notReachable());
		if (passedOn.kind === "yes") {
			noteForwarded(req);
			markCaller(req, passedOn.address);
		}
		// A proxy sends its next call elsewhere, instead of on a connection that is about to end.
		if (entry.draining) res.setHeader("connection", "close");
		const malformed = malformationOf(req);
		if (malformed !== null) return refuseUnread(malformed);
		const url = new URL(`http://localhost${req.url}`);
		const { pathname } = url;
		overrideMethod(req, pathname);
		const isApi = pathname.startsWith("/v1/") || API_PATHS.has(pathname);
		const match: RouteMatch = isApi ? matchRoute(entry.routes, req.method ?? "GET", pathname) : { kind: "none" };
		const definition = match.kind === "found" ? match.entry.definition : undefined;
		// A route may wait for seconds, and thousands of calls would hold them meanwhile: it sets them when it answers.
		const mayWait = match.kind === "found" && match.entry.web !== undefined && definition?.files === undefined;
		if (!mayWait) setHeaders(res, entry.headers);
		if (pathname.startsWith("/v1/") && answerCrossOrigin(entry.allowedOrigins, req, res)) return;
		const { headers, bodyTimeoutMs } = entry;
		const call: Call = { req, res, url, headers, bodyTimeoutMs, log: entry.app?.log ?? null };
		if (isApi) void api(entry, match, call);
		else if (pathname.startsWith("/api/auth/")) void auth(entry, call);
		else void page(entry, call);
	};
}

type Call = {
	req: IncomingMessage;
	res: ServerResponse;
	url: URL;
	/** Headers of every response. */
	headers: Entry["headers"];
	bodyTimeoutMs: number | undefined;
	/** Null until startup has finished. */
	log: Log | null;
};

function setHeaders(res: ServerResponse, headers: Readonly<Record<string, string>>): void {
	for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

/**
 * tus 1.0: clients that can send neither PATCH nor DELETE, such as Java's HttpURLConnection, name the method in a
 * header. This method then decides the route, the permission and the rate limit. The header has no effect on other
 * paths.
 */
function overrideMethod(req: IncomingMessage, pathname: string): void {
	const method = req.headers["x-http-method-override"];
	if (typeof method !== "string" || method.trim() === "" || !/^\/v1\/uploads(\/[^/]*)?$/.test(pathname)) return;
	req.method = method.trim().slice(0, 20).toUpperCase();
}

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

function api(entry: Entry, match: RouteMatch, call: Call): Promise<void> {
	const { app } = entry;
	const { req, res, url } = call;
	if (app === null || app.stopping.aborted) {
		if (url.pathname === "/v1/health") return sendHealth(app === null ? "starting" : "stopping", call);
		const message = app === null ? "Tapedeck is starting. Try again in a moment." : "Tapedeck is stopping.";
		return refuse(new TapedeckError("unavailable", message), call);
	}
	if (entry.draining && url.pathname === "/v1/health") return sendHealth("stopping", call);
	if (match.kind === "found") {
		const { measuredAs, files } = match.entry.definition;
		if (measuredAs !== undefined) measure(app, measuredAs, res);
		if (files === undefined || app.node === null) return callFound(app, match, call);
		return callWhereFilesAre(app, match, call);
	}
	if (match.kind === "wrong_method") {
		const allow = match.allow.join(", ");
		if (req.method === "OPTIONS") return send({ status: 204, headers: { allow }, text: null }, call);
		const detail = `${url.pathname} does not support ${req.method}. Use ${allow}.`;
		return refuse(new TapedeckError("method_not_allowed", detail, { headers: { allow } }), call);
	}
	const detail = `No endpoint at ${url.pathname.slice(0, 200)}. See ${app.baseUrl}/docs.`;
	return refuse(new TapedeckError("not_found", detail), call);
}

type Found = Extract<RouteMatch, { kind: "found" }>;

function callFound(app: AppContext, { entry, params }: Found, call: Call): Promise<void> {
	if (entry.stream !== undefined) return handleStream(app, entry.stream, params, call);
	return callRoute(entry.web, params, call);
}

/** Answers here or by the dashboard that has the files which the call needs. */
async function callWhereFilesAre(app: AppContext, match: Found, call: Call): Promise<void> {
	const { req, res } = call;
	const { files, streaming } = match.entry.definition;
	try {
		const needed = files?.({ params: match.params, headers: req.headers }) ?? null;
		if (await answerElsewhere(app, needed, streaming === true, req, res)) return;
	} catch (error) {
		return sendProblem(error, requestId(), app.log, req, res);
	}
	return callFound(app, match, call);
}

function measure({ metrics }: AppContext, call: "poll" | "piece", res: ServerResponse): void {
	const beganAt = performance.now();
	res.once("finish", () => metrics.answered(call, (performance.now() - beganAt) / 1_000));
}

/** Calls a route module. */
async function callRoute(handler: RouteHandler, params: Record<string, string>, call: Call): Promise<void> {
	const { req, res, url, bodyTimeoutMs } = call;
	const answer = await handler.answer(new IncomingRequest(req, res, url, bodyTimeoutMs), params);
	if (!(answer instanceof Response)) return send(answer, call);
	setHeaders(res, call.headers);
	if (req.method !== "HEAD") return respond(call, () => answer);
	// An unread body would leak the resources behind it.
	await answer.body?.cancel();
	return respond(call, () => new Response(null, answer));
}

async function send({ status, headers, text }: PlainAnswer, { req, res, headers: always }: Call): Promise<void> {
	if (res.destroyed) return;
	const length = text === null ? {} : { "content-length": Buffer.byteLength(text) };
	res.writeHead(status, { ...always, ...headers, ...length });
	res.end(req.method === "HEAD" || text === null ? undefined : text);
}

function sendHealth(status: string, call: Call): Promise<void> {
	const headers = { "content-type": "application/json", "cache-control": "no-store" };
	return send({ status: 503, headers, text: JSON.stringify({ status }) }, call);
}

function refuse(error: TapedeckError, call: Call): Promise<void> {
	const { status, headers, body } = problemAnswer(error, requestId(), null);
	return send({ status, headers, text: JSON.stringify(body) }, call);
}

async function auth({ app }: Entry, call: Call): Promise<void> {
	if (app === null) return refuse(new TapedeckError("unavailable", "Tapedeck is starting."), call);
	if (!AUTH_PATHS.has(call.url.pathname)) return refuse(new TapedeckError("not_found", "Not found."), call);
	return respond(call, async (request) => {
		await countPage(app, request.headers);
		assertSameOrigin(request.headers, request.method, app.auth.trustedOrigins);
		await unauthenticatedBody(call);
		return handleAuth(app, request);
	});
}

/** Waits until a body has arrived that better-auth or Next reads: both would report a refused one as a server error. */
const unauthenticatedBody = ({ req, bodyTimeoutMs }: Call): Promise<void> =>
	bodyArrived(req, { maxBytes: MAX_UNAUTHENTICATED_BODY_BYTES, timeoutMs: bodyTimeoutMs });

/** Converts Node's request to a Web request and the Web response back. */
function respond({ req, res, log }: Call, handler: (request: Request) => Response | Promise<Response>): Promise<void> {
	return getRequestListener(handler, {
		hostname: "localhost",
		overrideGlobalObjects: false,
		errorHandler: (error) => problemResponse(faultOf(error, req), requestId(), log),
	})(req, res);
}

/** The caller's own fault, if it is one: a Host or a path that is none, or a connection that broke. */
function faultOf(error: unknown, req: IncomingMessage): unknown {
	if (error instanceof RequestError) {
		return new TapedeckError("bad_request", "The request's Host header or path is malformed.", { cause: error });
	}
	return isTapedeckError(error) || req.complete ? error : brokenBody(error);
}

/** @throws too_many_requests */
async function countPage(app: AppContext, headers: RequestHeaders): Promise<void> {
	// It fails for someone without an organization, and while the database is away, which the page itself says.
	const actor = await authenticate(app, headers).catch(() => null);
	await app.limits.countPage(actor, headers);
}

/** Parts of the build that pages load by the dozen. In development, they are made as they are needed. */
const isAsset = (pathname: string, development: boolean): boolean =>
	pathname.startsWith(development ? "/_next/" : "/_next/static/");

/** A path without a page. */
const NO_PAGE = "/_not-found";

/** Whether a path is percent-encoded UTF-8. Of a link, the end may be missing. */
function isDecodable(path: string): boolean {
	try {
		decodeURIComponent(path);
		return true;
	} catch {
		return false;
	}
}

/** Serves a page with a Content-Security-Policy whose nonce Next reads from the request and puts on its scripts. */
async function page(entry: Entry, call: Call): Promise<void> {
	const { req, res, url } = call;
	if (entry.pages === null) {
		res.writeHead(503, { "content-type": "text/plain; charset=utf-8", "retry-after": "2" });
		res.end("Tapedeck is starting. Reload in a moment.\n");
		return;
	}
	const isShared = url.pathname.startsWith("/shared/");
	const framedBy = isShared ? entry.embedOrigins : [];
	const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), entry.development, framedBy);
	// Overwritten so that clients cannot choose the nonce.
	req.headers["content-security-policy"] = policy;
	setHeaders(res, pageSecurityHeaders(policy));
	if (isShared) setHeaders(res, sharedPageHeaders);
	// It cannot name origins; the policy does.
	if (framedBy.length > 0) res.removeHeader("x-frame-options");
	// Next would fail to decode it, with a 500.
	if (!isDecodable(url.pathname)) req.url = NO_PAGE;
	try {
		const { handle, assets } = entry.pages;
		if (entry.app !== null && !isAsset(url.pathname, entry.development)) {
			await countPage(entry.app, new IncomingHeaders(req));
		}
		if (entry.app !== null && (await answerByOtherBuild(entry.app, assets, url.pathname, req, res))) return;
		// Scripts, styles and fonts need none.
		if (entry.app !== null && !url.pathname.startsWith("/_next/") && (await isDatabaseAway(entry.app)))
			return sendDatabaseAway(res, req.method);
		await unauthenticatedBody(call);
		await handle(req, res);
	} catch (error) {
		if (isTapedeckError(error) && error.code === "too_many_requests") return sendText(429, error, req, res);
		if (!res.headersSent) sendProblem(faultOf(error, req), requestId(), entry.app?.log ?? null, req, res);
	}
}

/** A plain-text response for people: only the error message. */
function sendText(status: number, error: TapedeckError, req: IncomingMessage, res: ServerResponse): void {
	res.writeHead(status, { ...error.headers, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
	res.end(req.method === "HEAD" ? undefined : `${error.message}\n`);
}
