/** HTTP requests over node:http(s) with keep-alive connections, limited in time and size, through the environment's proxy. */
import * as http from "node:http";
import * as https from "node:https";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { agentFor, proxyFor, throughProxy } from "../base/proxy.ts";

export interface HttpRequest {
	method: string;
	url: string;
	headers?: Record<string, string>;
	body?: Buffer | string;
	/** Limit for the whole exchange. */
	timeoutMs?: number;
	/** Limit for the time without a byte in either direction. */
	idleMs?: number;
	/** Longer answers fail, also once they are decompressed; 1 MiB by default. */
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
	/** Agents by scheme, and by proxy if there is one. */
	readonly #agents = new Map<string, http.Agent>();
	readonly #options: http.AgentOptions;

	constructor(maxSockets = 16) {
		// Node servers close idle connections after 5 s; closing them earlier here avoids requests on closed connections.
		this.#options = { keepAlive: true, maxSockets, timeout: 4_000, scheduling: "lifo" };
	}

	/**
	 * @throws the socket's error; code `ETIMEDOUT` when a time limit was exceeded, `E2BIG` when the response was too long,
	 *   `EENCODING` when its compression is unknown or its data does not match it.
	 */
	async call(request: HttpRequest): Promise<HttpAnswer> {
		try {
			return await this.#once(request);
		} catch (error) {
			// The server closed an idle connection just as it was reused, so it has not processed the request: retry.
			if (!staleErrors.has(error as object) || request.signal?.aborted) throw error;
			return await this.#once(request);
		}
	}

	close(): void {
		for (const agent of this.#agents.values()) agent.destroy();
	}

	#agentFor(url: URL, proxy: URL | null): http.Agent {
		const key = `${url.protocol} ${proxy?.href ?? ""}`;
		const known = this.#agents.get(key);
		if (known !== undefined) return known;
		const agent = agentFor(url, proxy, this.#options);
		this.#agents.set(key, agent);
		return agent;
	}

	#once(request: HttpRequest): Promise<HttpAnswer> {
		const url = new URL(request.url);
		const secure = url.protocol === "https:";
		const proxy = proxyFor(url);
		const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
		const body = typeof request.body === "string" ? Buffer.from(request.body) : (request.body ?? null);
		const call = (secure ? https : http).request(url, {
			method: request.method,
			agent: this.#agentFor(url, proxy),
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
			const isStale = closed && call.reusedSocket && !answered;
			const failure = proxy === null ? error : throughProxy(error, proxy);
			if (isStale) staleErrors.add(failure);
			reject(failure);
		});
		call.on("response", (answer) => {
			answered = true;
			collect(answer, request.maxBytes ?? 1 << 20, request.method === "HEAD").then(
				(text) => {
					clearTimeout(timer);
					resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
				},
				(error) => {
					clearTimeout(timer);
					reject(error);
					call.destroy();
				},
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

/** Errors of connections that the server closed just as they were reused. */
const staleErrors = new WeakSet<object>();

function collect(answer: http.IncomingMessage, maxBytes: number, isHead: boolean): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
	// If the response announces its length, it is refused without reading it.
	const announced = isHead ? 0 : Number(answer.headers["content-length"]);
	if (announced > maxBytes) reject(tooLong(maxBytes));
	const chunks: Buffer[] = [];
	let bytes = 0;
	answer.on("data", (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > maxBytes) reject(tooLong(maxBytes));
		else chunks.push(chunk);
	});
	answer.on("end", () => resolve(Buffer.concat(chunks)));
	answer.on("error", reject);
	answer.on("close", () => {
		if (!answer.complete) reject(Object.assign(new Error("the response was cut off"), { code: "ECONNRESET" }));
	});
	return promise.then(async (body) => {
		const decoded = await decode(body, answer.headers["content-encoding"], maxBytes);
		return decoded.toString("utf8");
	});
}

const tooLong = (maxBytes: number) =>
	Object.assign(new Error(`the response has more than ${maxBytes} bytes`), { code: "E2BIG" });

/** More than one at a time is rare. */
const MAX_ENCODINGS = 3;
const DECODERS: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
	gzip: promisify(zlib.gunzip),
	deflate: (body, options) =>
		// Some servers send the raw format, without zlib's header.
		promisify(((body[0] ?? 0) & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw)(body, options),
	br: promisify(zlib.brotliDecompress),
	zstd: promisify(zlib.zstdDecompress),
};

/** Decompresses a body. Servers and proxies may compress it although the request did not ask for it. */
async function decode(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
	const names = (encoding ?? "")
		.toLowerCase()
		.split(",")
		.map((name) => name.trim().replace(/^x-/, ""))
		.filter((name) => name !== "" && name !== "identity");
	let decoded = body;
	for (const name of names.length > MAX_ENCODINGS ? ["too many"] : names.reverse()) {
		if (decoded.length === 0) break;
		const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
		if (decoder === undefined)
			throw unreadable(`the response has an unknown content encoding (${encoding?.slice(0, 50)})`);
		try {
			decoded = await decoder(decoded, { maxOutputLength: maxBytes });
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLong(maxBytes);
			throw unreadable(`the response is not valid ${name}`);
		}
	}
	return decoded;
}

const unreadable = (message: string) => Object.assign(new Error(message), { code: "EENCODING" });
