/**
 * Pages of other origins that the operator allows (TAPEDECK_ALLOWED_ORIGINS). They call /v1 with an API key and read
 * the responses. No response allows credentials, so such pages cannot use anybody's cookie.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { EXPOSED_HEADERS } from "@tapedeck/contract/headers.ts";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** A fixed list instead of any header, because some headers mean something to proxies. */
const REQUEST_HEADERS = [
	...["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "If-Range", "Range"],
	...["Tus-Resumable", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata", "Upload-Offset"],
	"X-HTTP-Method-Override",
].join(", ");
const PREFLIGHT_SECONDS = "600";

/**
 * Sets the headers of a /v1 call that tell the browser what pages of its origin may do.
 * @returns true if the call was a preflight, which is then answered.
 */
export function answerCrossOrigin(
	allowedOrigins: readonly string[],
	{ method, headers }: IncomingMessage,
	res: ServerResponse,
): boolean {
	if (allowedOrigins.length === 0) return false;
	res.setHeader("vary", "Origin");
	const { origin } = headers;
	if (origin === undefined || !allowedOrigins.includes(origin)) return false;
	const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
	if (!isPreflight && !/^Bearer +[^ ]/i.test(headers.authorization ?? "")) return false;
	res.setHeader("access-control-allow-origin", origin);
	if (!isPreflight) {
		res.setHeader("access-control-expose-headers", EXPOSED_HEADERS.join(", "));
		return false;
	}
	res.writeHead(204, {
		"access-control-allow-methods": METHODS,
		"access-control-allow-headers": REQUEST_HEADERS,
		"access-control-max-age": PREFLIGHT_SECONDS,
	});
	res.end();
	return true;
}
