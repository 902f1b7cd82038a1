/** Limits every request's body in size and time where its bytes come in, whatever reads them, or nobody. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { TapedeckError } from "../core/errors.ts";
import type { RouteDefinition } from "./route-definition.ts";

export type BodyLimit = { maxBytes: number; timeoutMs: number };

/** JSON of callers who show credentials, and pictures. */
const MAX_BODY_BYTES = 1024 * 1024;
/** What strangers may send: sign-in, sign-up, and addresses that take no body at all. */
const MAX_STRANGER_BODY_BYTES = 16 * 1024;
const BODY_TIMEOUT_MS = 30_000;
/** How long the rest of a body may still come once its request has been answered. */
const REST_TIMEOUT_MS = 2_000;

/** The most that a request may send. @param definition its route; none for pages, sign-in and unknown addresses. */
export function maxBodyBytes(definition: RouteDefinition | undefined): number {
	return definition === undefined || definition.open === true ? MAX_STRANGER_BODY_BYTES : MAX_BODY_BYTES;
}

/** @returns null for files, which may be large and take long: their connection is closed when it is idle. */
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
 * Counts a body while it arrives. A body beyond its limit ends for whoever reads it with the error that the client is
 * to get; what still comes of it is thrown away, and the connection is closed after the answer.
 *
 * @param limit null: only what comes after the answer is limited.
 * @returns rejects with payload_too_large or request_timeout as soon as the request is to be answered so; never
 *   resolves. Null when there is no body.
 */
export function limitBody(req: IncomingMessage, res: ServerResponse, limit: BodyLimit | null): Promise<never> | null {
	if (!hasBody(req)) return null;
	closeUnlessRestComes(req, res);
	if (limit === null) return null;
	const { maxBytes, timeoutMs } = limit;
	const refusal = Promise.withResolvers<never>();
	refusal.promise.catch(() => {});
	let received = 0;
	let refused = false;
	const refuse = (error: TapedeckError) => {
		if (refused || res.headersSent) return;
		refused = true;
		clearTimeout(timer);
		// Readers get an error, never a shortened body that might make sense. The socket stays open for the answer.
		req._destroy = (cause, callback) => callback(cause);
		req.on("error", () => {});
		req.destroy(error);
		req._read(0);
		refusal.reject(error);
	};
	const timer = setTimeout(() => refuse(bodyTooSlow(timeoutMs)), timeoutMs);
	req.once("close", () => clearTimeout(timer));
	// Node's parser hands every piece to `push`, and null at the end.
	const push = req.push.bind(req);
	req.push = (chunk: Buffer | null, encoding) => {
		if (chunk === null) clearTimeout(timer);
		else received += chunk.length;
		if (received > maxBytes) refuse(bodyTooLarge(maxBytes));
		// What nobody reads any more is let through to nowhere, so that the rest comes.
		return refused || push(chunk, encoding);
	};
	return refusal.promise;
}

/** What is left of a body after the answer has a moment, in which a client that goes on keeps its connection. */
function closeUnlessRestComes(req: IncomingMessage, res: ServerResponse): void {
	// Who stops reading in the middle of a body takes the socket away from the request.
	const { socket } = req;
	res.once("finish", () => {
		if (!req.complete) setTimeout(() => req.complete || socket.destroySoon(), REST_TIMEOUT_MS).unref();
	});
}
