/** HTTP requests over node:http(s) with keep-alive connections, limited in time and size. */
import * as http from "node:http";
import * as https from "node:https";

export interface HttpRequest {
	method: string;
	url: string;
	headers?: Record<string, string>;
	body?: Buffer | string;
	/** Limit for the whole exchange. */
	timeoutMs?: number;
	/** Limit for the time without a byte in either direction. */
	idleMs?: number;
	/** Longer answers fail; 1 MiB by default. */
	maxBytes?: number;
	signal?: AbortSignal;
}

export interface HttpAnswer {
	status: number;
	headers: http.IncomingHttpHeaders;
	text: string;
}

/** A pool of connections: one for the dashboard, one per grid. */
export class HttpPool {
	readonly #http: http.Agent;
	readonly #https: https.Agent;

	constructor(maxSockets = 16) {
		// Node servers close idle connections after 5 s; closing them earlier here avoids requests on closed connections.
		const options = { keepAlive: true, maxSockets, timeout: 4_000, scheduling: "lifo" as const };
		this.#http = new http.Agent(options);
		this.#https = new https.Agent(options);
	}

	/** @throws the socket's error; code `ETIMEDOUT` when a time limit was exceeded, `E2BIG` when the answer was too long. */
	async call(request: HttpRequest): Promise<HttpAnswer> {
		try {
			return await this.#once(request);
		} catch (error) {
			// The server closed an idle connection just as it was reused, so it has not processed the request: retry.
			if (!(error instanceof ReusedSocketError) || request.signal?.aborted) throw error;
			return await this.#once(request);
		}
	}

	close(): void {
		this.#http.destroy();
		this.#https.destroy();
	}

	#once(request: HttpRequest): Promise<HttpAnswer> {
		const url = new URL(request.url);
		const secure = url.protocol === "https:";
		const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
		const body = typeof request.body === "string" ? Buffer.from(request.body) : (request.body ?? null);
		const call = (secure ? https : http).request(url, {
			method: request.method,
			agent: secure ? this.#https : this.#http,
			headers: { ...request.headers, ...(body ? { "content-length": String(body.length) } : {}) },
			signal: request.signal,
		});
		const giveUp = (message: string) => call.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
		const timer =
			request.timeoutMs === undefined
				? undefined
				: setTimeout(() => giveUp(`no response within ${request.timeoutMs} ms`), request.timeoutMs);
		if (request.idleMs !== undefined) {
			call.setTimeout(request.idleMs, () => giveUp(`no data for ${request.idleMs} ms`));
		}
		let answered = false;
		call.on("error", (error: NodeJS.ErrnoException) => {
			clearTimeout(timer);
			const closed = error.code === "ECONNRESET" || error.code === "EPIPE";
			reject(closed && call.reusedSocket && !answered ? new ReusedSocketError(error) : error);
		});
		call.on("response", (answer) => {
			answered = true;
			collect(answer, request.maxBytes ?? 1 << 20).then(
				(text) => {
					clearTimeout(timer);
					resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
				},
				(error) => call.destroy(error),
			);
			answer.on("error", (error) => {
				clearTimeout(timer);
				reject(error);
			});
		});
		call.end(body ?? undefined);
		return promise;
	}
}

class ReusedSocketError extends Error {
	constructor(cause: Error) {
		super(cause.message, { cause });
		this.name = "ReusedSocketError";
	}
}

function collect(answer: http.IncomingMessage, maxBytes: number): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const chunks: Buffer[] = [];
	let bytes = 0;
	answer.on("data", (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > maxBytes)
			reject(Object.assign(new Error(`the response has more than ${maxBytes} bytes`), { code: "E2BIG" }));
		else chunks.push(chunk);
	});
	answer.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
	answer.on("error", reject);
	answer.on("close", () => {
		if (!answer.complete) reject(Object.assign(new Error("the response was cut off"), { code: "ECONNRESET" }));
	});
	return promise;
}
