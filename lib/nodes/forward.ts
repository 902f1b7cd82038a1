/**
 * Passes a call on to the dashboard that has the files it needs, and streams the answer back. That dashboard checks the
 * caller's credentials; this one signs whose call it is, so that limits and the audit log see the caller's address.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline } from "node:stream";
import { CLIENT_ADDRESS_HEADER, PEER_ADDRESS_HEADER } from "#lib/auth/sign-in/client-address.ts";
import type { Clock } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { DashboardNode } from "./dashboard-node.ts";

/** Marks a call that was passed on: `<milliseconds>.<HMAC>.<caller's address>`. */
const FORWARDED_HEADER = "tapedeck-forwarded";
const SIGNED_FOR_MS = 60_000;
const CONNECT_MS = 2_000;
/** An answer, or more of a body, must come within this time. The runner gives up a call after 6 s of silence. */
const IDLE_MS = 15_000;
const WATCH_MS = 1_000;
/** The maximum size of a chunk of a recording. It fits into memory, however slowly the other dashboard reads it. */
const MAX_PIECE_BYTES = 256 * 1024;
/** Streams are silent while nothing happens. */
const STREAM_IDLE_MS = 120_000;
const NO_BODY = new Set([204, 304]);
/** Headers that apply to one hop, and headers that are set anew for the next hop. */
const PER_HOP = new Set(
	["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect", FORWARDED_HEADER].concat(
		["proxy-connection", "proxy-authenticate", "proxy-authorization"],
		[CLIENT_ADDRESS_HEADER, PEER_ADDRESS_HEADER],
	),
);

/** Without a listener, the error of a broken connection would end the process. */
const ignore = (): void => undefined;

/** The signed parts of a call: its target and its caller. */
export type SignedCall = Pick<IncomingMessage, "method" | "url" | "headers">;

/** Dependencies of passing calls on. */
export interface Passing {
	/** This dashboard among others; null with SQLite. */
	node: DashboardNode | null;
	callSigner: CallSigner;
	/** Aborted when this dashboard begins to stop. */
	stopping: AbortSignal;
	metrics: { passedOn(): void };
}

export type Forwarded = { kind: "no" } | { kind: "refused" } | { kind: "yes"; address: string };

/** Signs and verifies the calls between dashboards, with a key derived from their secret key. */
export class CallSigner {
	readonly #keys: readonly string[];
	readonly #clock: Clock;

	/** @param keys the current one first. */
	constructor(keys: readonly string[], clock: Clock) {
		this.#keys = keys;
		this.#clock = clock;
	}

	/** @returns the header's value. */
	sign(req: SignedCall): string {
		const address = String(req.headers[CLIENT_ADDRESS_HEADER] ?? "");
		const at = this.#clock.now();
		return `${at}.${this.#mac(this.#keys[0] as string, req, at, address)}.${address}`;
	}

	/** Whether a dashboard with the same secret key passed the call on a moment ago. */
	verify(req: IncomingMessage): Forwarded {
		const header = req.headers[FORWARDED_HEADER];
		if (header === undefined) return { kind: "no" };
		const [, time = "", mac = "", address = ""] = /^(\d{1,15})\.([\w-]{1,64})\.(.{0,64})$/.exec(String(header)) ?? [];
		const at = Number(time);
		const given = Buffer.from(mac);
		const isSigned = this.#keys.some((key) => {
			const expected = Buffer.from(this.#mac(key, req, at, address));
			return expected.length === given.length && timingSafeEqual(expected, given);
		});
		const isFresh = Math.abs(this.#clock.now() - at) < SIGNED_FOR_MS;
		return isSigned && isFresh ? { kind: "yes", address } : { kind: "refused" };
	}

	/** The signature covers the credentials, so that one seen in transit is useless for other callers. */
	#mac(key: string, { method, url, headers }: SignedCall, at: number, address: string): string {
		const text = [method, url, at, address, headers.authorization ?? "", headers.cookie ?? ""].join("\n");
		return createHmac("sha256", key).update(text).digest("base64url");
	}
}

const agents = {
	"http:": new HttpAgent({ keepAlive: true, maxFreeSockets: 64 }),
	"https:": new HttpsAgent({ keepAlive: true, maxFreeSockets: 64 }),
};

export const notReachable = (): TapedeckError =>
	new TapedeckError(
		"unavailable",
		"The dashboard that has these files cannot be reached. Try again in a moment; if it stays so, start that dashboard.",
		{ headers: { "retry-after": "1" } },
	);

/**
 * Sends a request on and its answer back, both as they arrive.
 *
 * @param to the base URL of the other dashboard.
 * @param options.streams whether the answer is open-ended.
 * @param options.signal ends the call.
 * @param options.isGone whether the other dashboard is known to have died: then there is nothing to wait for.
 * @param options.accepts whether an answer with this status is sent back; all if omitted.
 * @returns when the answer has been sent, or broke off; false if it was not accepted, and nothing was sent.
 * @throws unavailable if no answer comes within a time; nothing was answered then.
 */
export function forward(
	to: string,
	signer: CallSigner,
	req: IncomingMessage,
	res: ServerResponse,
	options: { streams: boolean; signal: AbortSignal; isGone: () => boolean; accepts?: (status: number) => boolean },
): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const call = openCall(to, signer, req, passedOn(req.rawHeaders));
		const unwatch = endUnanswered(call, options.isGone);
		let answered = false;
		const release = () => {
			unwatch();
			options.signal.removeEventListener("abort", abort);
			res.off("close", onClose);
		};
		const end = () => {
			release();
			resolve(true);
		};
		const abort = () => call.destroy(new Error("this dashboard stops"));
		const fail = () => {
			release();
			if (answered || res.destroyed) {
				// Destroyed so that a truncated response does not look complete.
				res.destroy();
				resolve(true);
			} else reject(notReachable());
		};
		const onClose = () => {
			if (!res.writableFinished) call.destroy();
		};
		if (options.streams) options.signal.addEventListener("abort", abort, { once: true });
		call.on("response", (answer) => {
			const status = answer.statusCode ?? 502;
			if (options.accepts?.(status) === false) {
				release();
				answer.on("error", ignore).resume();
				return resolve(false);
			}
			answered = true;
			if (res.destroyed) {
				// The caller left a moment ago: there is no stream to pipe into.
				answer.on("error", ignore);
				call.destroy();
				return end();
			}
			if (options.streams) call.setTimeout(STREAM_IDLE_MS);
			res.writeHead(status, passedOn(answer.rawHeaders));
			if (req.method === "HEAD" || NO_BODY.has(status)) {
				answer.resume();
				res.end();
				return end();
			}
			res.flushHeaders();
			pipeline(answer, res, end);
		});
		call.on("error", fail);
		res.once("close", onClose);
		sendBody(req, call);
	});
}

/** Sends the body on as it arrives. */
function sendBody(req: IncomingMessage, call: ClientRequest): void {
	const { "content-length": length, "transfer-encoding": coding } = req.headers;
	// A call without a body can be passed on again, to another dashboard.
	if (length === undefined && coding === undefined) call.end();
	else if (Number(length) <= MAX_PIECE_BYTES) sendPiece(req, call, Number(length));
	else pipeline(req, call, ignore);
}

/** A pipeline costs more than the rest of a call: many listeners, an abort controller, and one more write. */
function sendPiece(req: IncomingMessage, call: ClientRequest, bytes: number): void {
	let missing = bytes;
	if (missing === 0) call.end();
	req.on("data", (part: Buffer) => {
		missing -= part.length;
		if (missing > 0) call.write(part);
		else call.end(part);
	});
	req.on("error", ignore).on("close", () => {
		if (missing > 0) call.destroy();
	});
	req.resume();
}

/**
 * Ends a call with an error when the other dashboard does not accept or answer it in time, or has died.
 * @returns ends the watch.
 */
export function endUnanswered(call: ClientRequest, isGone: () => boolean): () => void {
	let connecting: NodeJS.Timeout | undefined;
	const watching = setInterval(() => {
		if (isGone()) call.destroy(new Error("the other dashboard is gone"));
	}, WATCH_MS);
	call.on("socket", (socket) => {
		if (!socket.connecting) return;
		connecting = setTimeout(() => call.destroy(new Error("connecting took too long")), CONNECT_MS);
		socket.once("connect", () => clearTimeout(connecting));
	});
	call.setTimeout(IDLE_MS, () => call.destroy(new Error("no answer came in time")));
	return () => {
		clearTimeout(connecting);
		clearInterval(watching);
	};
}

/**
 * Begins a call to another dashboard.
 * @param to its base URL.
 * @param headers alternating names and values, without the signature.
 */
export function openCall(to: string, signer: CallSigner, call: SignedCall, headers: readonly string[]): ClientRequest {
	const target = new URL(to);
	const options = {
		method: call.method,
		path: call.url,
		hostname: target.hostname.replace(/^\[(.*)\]$/, "$1"),
		port: target.port,
		headers: [...headers, FORWARDED_HEADER, signer.sign(call)],
	};
	return target.protocol === "https:"
		? httpsRequest({ ...options, agent: agents["https:"] })
		: httpRequest({ ...options, agent: agents["http:"] });
}

function passedOn(raw: readonly string[]): string[] {
	const kept: string[] = [];
	for (let index = 0; index + 1 < raw.length; index += 2) {
		const name = raw[index] as string;
		if (!PER_HOP.has(name.toLowerCase())) kept.push(name, raw[index + 1] as string);
	}
	return kept;
}
