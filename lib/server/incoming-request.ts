/** What a route reads of its request. Made of Node's request, because a web `Request` costs more than most calls do. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { IncomingHeaders, type RequestHeaders } from "#lib/core/request-headers.ts";
import { onClose, type Subscribe } from "./call-signal.ts";

export interface RouteRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: RequestHeaders;
	/** Reads the whole body. @throws the refusal of limit-body.ts, or an error if the connection breaks. */
	body(): Promise<Uint8Array>;
	/** The caller disconnected. */
	readonly onDisconnect: Subscribe;
}

export class IncomingRequest implements RouteRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: RequestHeaders;
	readonly onDisconnect: Subscribe;
	readonly #req: IncomingMessage;

	constructor(req: IncomingMessage, res: ServerResponse, url: URL) {
		this.method = req.method ?? "GET";
		this.url = url;
		this.headers = new IncomingHeaders(req);
		this.#req = req;
		this.onDisconnect = onClose(res);
	}

	body(): Promise<Uint8Array> {
		return readBody(this.#req);
	}
}

/** Also reads a body that arrived completely before its sender disconnected. */
function readBody(req: IncomingMessage): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		const onData = (chunk: Buffer) => void chunks.push(chunk);
		const onEnd = () => {
			stopReading();
			resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
		};
		const onBreak = () => {
			stopReading();
			// The refusal of limit-body.ts.
			if (isTapedeckError(req.errored)) return reject(req.errored);
			if (!req.complete) return reject(brokenBody(req.errored));
			for (let rest = req.read(); rest !== null; rest = req.read()) chunks.push(rest as Buffer);
			onEnd();
		};
		const stopReading = () => req.off("data", onData).off("end", onEnd).off("error", onBreak).off("close", onBreak);
		if (req.destroyed) return onBreak();
		req.on("data", onData).on("end", onEnd).on("error", onBreak).on("close", onBreak);
	});
}

export const brokenBody = (cause: unknown): TapedeckError =>
	new TapedeckError("bad_request", "The connection broke before the body had arrived. Send it again.", { cause });
