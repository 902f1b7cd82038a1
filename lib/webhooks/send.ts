/** Sends one POST request to a public or allowed address. Bounded in time and in what is read of the answer; redirects are not followed. */
import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import { sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import { VERSION } from "@tapedeck/contract/version.ts";
import { callSignal, onAbort, onTimeout } from "#lib/core/call-signal.ts";
import { type AddressRule, allowedLookup, literalAddress, refusalOf } from "./allowed-address.ts";

/** Receivers should answer before they work; Standard Webhooks recommends 15 to 30 s. */
const ANSWER_MS = 20_000;
/** More of an answer is not read, and less of it is kept. */
const MAX_READ_BYTES = 65_536;
const MAX_KEPT_BYTES = 4_096;
/** Connections to one receiver. */
const MAX_SOCKETS = 8;
const IDLE_SOCKET_MS = 2_500;

export interface Sent {
	/** Null without an answer. */
	status: number | null;
	/** Why the receiver did not take it; null if it did. */
	error: string | null;
	answer: string | null;
	/** Delay that the receiver asks for. */
	retryAfterMs: number;
	durationMs: number;
}

interface Outgoing {
	url: string;
	headers: Record<string, string>;
	body: string | Buffer;
	/** When it is sent, in milliseconds. */
	at: number;
	/** Bytes of the answer that are kept. */
	keptBytes?: number;
}

export type Send = (request: Outgoing, signal: AbortSignal) => Promise<Sent>;

/** @param answerMs how long a receiver may take; for tests. */
export function createSend(isAllowed: AddressRule, answerMs = ANSWER_MS): Send {
	const options = {
		keepAlive: true,
		maxSockets: MAX_SOCKETS,
		timeout: IDLE_SOCKET_MS,
		lookup: allowedLookup(isAllowed),
	};
	const agents = { "http:": new Agent(options), "https:": new SecureAgent(options) };
	return async (request, signal) => {
		const beganAt = performance.now();
		const url = new URL(request.url);
		const literal = literalAddress(url);
		const failed = (error: string): Sent => ({
			status: null,
			error,
			answer: null,
			retryAfterMs: 0,
			durationMs: took(),
		});
		const took = () => Math.round(performance.now() - beganAt);
		if (literal !== null && !isAllowed(literal)) return failed(refusalOf(literal));
		const tooLate = callSignal(onTimeout(answerMs));
		const ended = callSignal(onAbort(signal), onAbort(tooLate.signal));
		try {
			const response = await begin(url, request, {
				agent: agents[url.protocol as keyof typeof agents],
				signal: ended.signal,
			});
			const answer = await readAnswer(response, request.keptBytes ?? MAX_KEPT_BYTES);
			const status = response.statusCode ?? 0;
			return {
				status,
				answer,
				error: errorOf(status),
				durationMs: took(),
				retryAfterMs: retryAfter(response.headers["retry-after"], request.at),
			};
		} catch (error) {
			if (tooLate.signal.aborted) return failed(`The receiver did not answer within ${answerMs / 1_000} seconds.`);
			return failed(sentenceOf(error as NodeJS.ErrnoException));
		} finally {
			ended.release();
			tooLate.release();
		}
	};
}

function begin(
	url: URL,
	{ headers, body }: Outgoing,
	options: { agent: Agent; signal: AbortSignal },
): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
			...options,
			method: "POST",
			headers: {
				...headers,
				"content-length": Buffer.byteLength(body),
				"user-agent": `Tapedeck/${VERSION}`,
			},
		});
		request.on("error", reject);
		request.on("response", resolve);
		request.end(body);
	});
}

/** The status counts, so an answer that breaks off or never ends is as good as any. @returns the beginning of it. */
async function readAnswer(response: IncomingMessage, keptBytes: number): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of response) {
			chunks.push(chunk as Buffer);
			bytes += (chunk as Buffer).length;
			if (bytes > MAX_READ_BYTES) break;
		}
	} catch {
		// The answer is stored.
	}
	response.destroy();
	return sanitizeMessage(Buffer.concat(chunks).toString("utf8"), keptBytes) ?? "";
}

function errorOf(status: number): string | null {
	if (status >= 200 && status < 300) return null;
	if (status >= 300 && status < 400) {
		return `The receiver answered ${status}, and redirects are not followed. Change the webhook's URL.`;
	}
	return `The receiver answered ${status}.`;
}

/** @param header seconds, or a date. */
function retryAfter(header: string | undefined, now: number): number {
	if (header === undefined) return 0;
	const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
	return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

const SENTENCES: Readonly<Record<string, string>> = {
	ENOTFOUND: "The host name does not exist.",
	EAI_AGAIN: "The host name could not be resolved.",
	ECONNREFUSED: "The receiver refused the connection.",
	ECONNRESET: "The receiver closed the connection without an answer.",
	ETIMEDOUT: "The receiver could not be reached.",
	EHOSTUNREACH: "The receiver could not be reached.",
	ENETUNREACH: "The receiver could not be reached.",
	CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
	DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is signed by itself.",
	SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate is signed by an unknown authority.",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate is signed by an unknown authority.",
	ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host name.",
};

const sentenceOf = ({ code = "", message }: NodeJS.ErrnoException): string =>
	SENTENCES[code] ?? sanitizeMessage(message, MAX_KEPT_BYTES) ?? "The request failed.";
