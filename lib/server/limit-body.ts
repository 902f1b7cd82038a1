/** Limits the size and duration of every request body as its bytes arrive, whoever reads it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RouteDefinition } from "./route-definition.ts";

export type BodyLimit = { maxBytes: number; timeoutMs: number };

/** For authenticated callers: JSON and images. */
const MAX_BODY_BYTES = 1024 * 1024;
/** For unauthenticated callers: sign-in, sign-up, and addresses that take no body. */
const MAX_UNAUTHENTICATED_BODY_BYTES = 16 * 1024;
const BODY_TIMEOUT_MS = 30_000;
/** How long the rest of a body may take once its request has been answered. */
const REST_TIMEOUT_MS = 2_000;

/** The largest body a request may send. @param definition its route; undefined for pages, sign-in and unknown paths. */
export function maxBodyBytes(definition: RouteDefinition | undefined): number {
	return definition === undefined || definition.permission === "public"
		? MAX_UNAUTHENTICATED_BODY_BYTES
		: MAX_BODY_BYTES;
}

/** @returns null for file uploads, which may be large and slow: their connections are closed when idle instead. */
export function bodyLimit(definition: RouteDefinition | undefined, timeoutMs = BODY_TIMEOUT_MS): BodyLimit | null {
	return definition?.fileBody === true ? null : { maxBytes: maxBodyBytes(definition), timeoutMs };
}

export const bodyTooLarge = (maxBytes: number): TapedeckError =>
	new TapedeckError("payload_too_large", `The body is larger than ${maxBytes / 1024} KiB. Send a smaller one.`, {
		headers: { connection: "close" },
	});

const bodyTooSlow = (timeoutMs: number): TapedeckError =>
	new TapedeckError(
		"request_timeout",
		`The body did not arrive within ${timeoutMs / 1000} s. Send it again, all at once.`,
		{ headers: { connection: "close" } },
	);

const hasBody = ({ headers }: IncomingMessage): boolean =>
	headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Counts a body while it arrives. Once a body exceeds its limit, whoever reads it gets the error that the client gets,
 * the rest is discarded, and the connection is closed after the response.
 *
 * @param limit null: only what arrives after the response is limited.
 * @param onRefusal called with payload_too_large or request_timeout, for whoever may not be reading.
 */
export function limitBody(
	req: IncomingMessage,
	res: ServerResponse,
	limit: BodyLimit | null,
	onRefusal?: (error: TapedeckError) => void,
): void {
	if (!hasBody(req)) return;
	closeUnlessRestComes(req, res);
	if (limit === null) return;
	const { maxBytes, timeoutMs } = limit;
	let received = 0;
	let refused = false;
	const refuse = (error: TapedeckError) => {
		if (refused || res.headersSent) return;
		refused = true;
		clearTimeout(timer);
		// Readers get an error, never a truncated body that might be valid. The socket stays open for the response.
		req._destroy = (cause, callback) => callback(cause);
		req.on("error", () => {});
		req.destroy(error);
		req._read(0);
		onRefusal?.(error);
	};
	const timer = setTimeout(() => refuse(bodyTooSlow(timeoutMs)), timeoutMs);
	const { push } = req;
	const end = () => {
		clearTimeout(timer);
		req.off("close", end);
		// Frees this before the response, which may take long.
		if (!refused) req.push = push;
	};
	req.on("close", end);
	// Node's parser passes every chunk to `push`, and null at the end.
	req.push = (chunk: Buffer | null, encoding) => {
		if (chunk === null) end();
		else received += chunk.length;
		if (received > maxBytes) refuse(bodyTooLarge(maxBytes));
		// Chunks of a refused body are dropped here, so that the rest keeps arriving.
		return refused || push.call(req, chunk, encoding);
	};
}

/** Gives the rest of an answered request's body a moment to arrive, so that the client can keep its connection. */
function closeUnlessRestComes(req: IncomingMessage, res: ServerResponse): void {
	// A reader that stops early detaches the socket from the request.
	const { socket } = req;
	res.once("finish", () => {
		if (!req.complete) setTimeout(() => req.complete || socket.destroySoon(), REST_TIMEOUT_MS).unref();
	});
}
