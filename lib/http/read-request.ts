/**
 * Reads requests of clients that may be slow, broken or hostile: every body is limited in size and time, and whatever
 * happens, the client can read its answer, and its connection is closed soon.
 *
 * A body that is not read waits in its socket, so only reading needs limits. The exception are files, which are limited
 * by the rules for uploads, and in time by their connection.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onClose, type Subscribe } from "#lib/core/call-signal.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { IncomingHeaders, type RequestHeaders } from "#lib/core/request-headers.ts";
import { problemAnswer } from "./problem.ts";
import { requestId } from "./request-log.ts";
import type { RouteDefinition } from "./route-definition.ts";

/** The limit for authenticated callers, for JSON and images. */
const MAX_BODY_BYTES = 1024 * 1024;
/**
 * The limit for unauthenticated callers: sign-in, sign-up, and pages. It must fit into a request's own buffer of 64
 * KiB.
 */
export const MAX_UNAUTHENTICATED_BODY_BYTES = 16 * 1024;
const BODY_TIMEOUT_MS = 30_000;
/** The maximum time for the rest of a body after its request has been answered. */
const REST_TIMEOUT_MS = 2_000;
/** The maximum time to create a response: longer than any excerpt waits and takes (excerpts.ts). */
const ANSWER_TIMEOUT_MS = 240_000;
/** The time for which a client may keep sending after the server has ended its side of the connection. */
const LINGER_MS = 2_000;

type BodyLimit = { maxBytes: number; timeoutMs?: number | undefined };

/** The largest body of JSON that a route reads, in bytes. */
export function maxBodyBytes(definition: RouteDefinition): number {
	return definition.permission === "public" ? MAX_UNAUTHENTICATED_BODY_BYTES : MAX_BODY_BYTES;
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

export const brokenBody = (cause: unknown): TapedeckError =>
	new TapedeckError("bad_request", "The connection broke before the body had arrived. Send it again.", { cause });

/**
 * Reads the whole body, even if its sender disconnected after sending all of it.
 * @throws payload_too_large, request_timeout; bad_request if the connection breaks. Data that still arrives is then
 *   discarded.
 */
export async function readBody(req: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	await untilComplete(req, limit, () => {
		for (let chunk: Buffer | null = req.read(); chunk !== null; chunk = req.read()) {
			chunks.push(chunk);
			bytes += chunk.length;
		}
		return bytes;
	});
	return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * Waits for a body and leaves it in the request, for a library that reads it there: one whose errors would not be ours.
 * @throws like readBody.
 */
export async function bodyArrived(req: IncomingMessage, limit: BodyLimit): Promise<void> {
	// These methods have no body that is read.
	if (req.method === "GET" || req.method === "HEAD") return;
	await untilComplete(req, limit, () => req.readableLength);
}

/** @param received called when more has arrived. @returns how many bytes have arrived so far. */
function untilComplete(
	req: IncomingMessage,
	{ maxBytes, timeoutMs = BODY_TIMEOUT_MS }: BodyLimit,
	received: () => number,
): Promise<void> {
	return new Promise((resolve, reject) => {
		let timer: NodeJS.Timeout | undefined;
		const end = (refusal?: TapedeckError) => {
			clearTimeout(timer);
			req.off("readable", check).off("error", check).off("close", check);
			if (refusal === undefined) return resolve();
			req.resume();
			reject(refusal);
		};
		/** @returns whether there is nothing more to wait for. */
		const check = (): boolean => {
			if (received() > maxBytes) end(bodyTooLarge(maxBytes));
			else if (req.complete) end();
			else if (req.destroyed) end(brokenBody(req.errored));
			else return false;
			return true;
		};
		if (check()) return;
		timer = setTimeout(() => end(bodyTooSlow(timeoutMs)), timeoutMs);
		req.on("readable", check).on("error", check).on("close", check);
	});
}

/**
 * The parts of a request that a route reads. Built from Node's request: a web `Request` costs more than most calls do.
 */
export interface RouteRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: RequestHeaders;
	/** Reads the whole body. @throws like readBody. */
	body(maxBytes: number): Promise<Uint8Array>;
	/** The caller disconnected. */
	readonly onDisconnect: Subscribe;
}

export class IncomingRequest implements RouteRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: RequestHeaders;
	readonly onDisconnect: Subscribe;
	readonly #req: IncomingMessage;
	readonly #timeoutMs: number | undefined;

	/** @param timeoutMs how long the body may take; 30 s if omitted. */
	constructor(req: IncomingMessage, res: ServerResponse, url: URL, timeoutMs?: number) {
		this.method = req.method ?? "GET";
		this.url = url;
		this.headers = new IncomingHeaders(req);
		this.#req = req;
		this.#timeoutMs = timeoutMs;
		this.onDisconnect = onClose(res);
	}

	body(maxBytes: number): Promise<Buffer> {
		return readBody(this.#req, { maxBytes, timeoutMs: this.#timeoutMs });
	}
}

/**
 * Closes the connections of clients that stall, break the protocol, or keep sending after their response.
 *
 * - Stalled: nothing was received or sent for three quarters of `stallTimeoutMs`. Node's timer restarts once while
 *   bytes wait to be sent, so it may take up to one and a half times `stallTimeoutMs`. Between two requests,
 *   `server.keepAliveTimeout` applies instead. While a complete request waits for its response, the delay is the
 *   server's, so its connection stays open for up to `answerTimeoutMs`.
 * - Answered early: the rest of the body may follow for 2 s, so that the client can keep its connection. After that, or
 *   at once if the response says `Connection: close`, the server ends its side. The connection closes when the client
 *   has ended its side, or after another 2 s. Closing it with unread bytes would reset it, and the client might lose
 *   its response (RFC 9112, section 9.6).
 * - No HTTP, or headers that did not arrive in time: answered with a problem document, unless a response has begun,
 *   whose continuation it would seem to be.
 *
 * @returns a function that closes all connections at once, including upgraded ones, which the server itself stops
 *   tracking.
 */
export function guardConnections(
	server: Server,
	stallTimeoutMs: number,
	answerTimeoutMs = ANSWER_TIMEOUT_MS,
): () => void {
	/**
	 * For each connection, the responses to requests that are not finished: not answered, or not received completely. The
	 * value is the time at which the request began.
	 */
	const connections = new Map<Socket, Map<ServerResponse, number>>();
	const timeoutMs = stallTimeoutMs * 0.75;
	server.setTimeout(timeoutMs, (socket) => {
		const isAtWork = [...(connections.get(socket) ?? [])].some(
			([res, begunAt]) => res.req.complete && !res.headersSent && performance.now() - begunAt < answerTimeoutMs,
		);
		if (isAtWork) socket.setTimeout(timeoutMs);
		else socket.destroy();
	});
	server.on("connection", (socket: Socket) => {
		const answers = new Map<ServerResponse, number>();
		connections.set(socket, answers);
		socket.once("close", () => connections.delete(socket));
		// Node calls it after an answer that closes the connection.
		const destroySoon = socket.destroySoon.bind(socket);
		socket.destroySoon = () => {
			for (const { req } of answers.keys()) if (!req.complete) return endGently(socket);
			destroySoon();
		};
	});
	// Runs before the listeners that may answer at once.
	server.prependListener("request", (req, res) => {
		// A reader that stops early detaches the socket from the request.
		const { socket } = req;
		const answers = connections.get(socket);
		answers?.set(res, performance.now());
		res.once("close", () => {
			if (!req.readableEnded) req.resume();
			if (req.complete) return void answers?.delete(res);
			setTimeout(() => {
				if (req.complete) answers?.delete(res);
				else socket.destroySoon();
			}, REST_TIMEOUT_MS).unref();
		});
	});
	server.on("clientError", (error: ParserError, socket: Socket) => {
		let hasBegun = false;
		for (const res of connections.get(socket)?.keys() ?? []) hasBegun ||= res.headersSent && !res.writableFinished;
		if (error.code === "ECONNRESET" || !socket.writable || hasBegun) return void socket.destroy(error);
		socket.write(answerTo(error));
		endGently(socket);
	});
	return () => {
		for (const socket of connections.keys()) socket.destroy();
	};
}

function endGently(socket: Socket): void {
	if (socket.destroyed) return;
	socket.end();
	const timer = setTimeout(() => socket.destroy(), LINGER_MS);
	socket.once("close", () => clearTimeout(timer));
}

type ParserError = NodeJS.ErrnoException;

function answerTo(error: ParserError): string {
	const { status, headers, body } = problemAnswer(problemOf(error), requestId(), null);
	const text = JSON.stringify(body);
	const all = { ...headers, connection: "close", "content-length": String(Buffer.byteLength(text)) };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return `HTTP/1.1 ${status} ${body.title}\r\n${lines.join("")}\r\n${text}`;
}

function problemOf({ code }: ParserError): TapedeckError {
	switch (code) {
		case "ERR_HTTP_REQUEST_TIMEOUT":
			return new TapedeckError("request_timeout", "The request did not arrive in time. Send it again, all at once.");
		case "HPE_HEADER_OVERFLOW":
			return new TapedeckError("headers_too_large", "The headers are larger than 16 KiB. Send fewer or shorter ones.");
		default:
			return new TapedeckError("bad_request", "Malformed HTTP request.");
	}
}
