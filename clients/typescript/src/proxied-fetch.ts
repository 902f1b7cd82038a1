/**
 * `fetch` through an HTTP proxy, in Node. It supports the parts of `fetch` that the client uses, and follows no
 * redirects.
 */

/** @param proxy of the scheme http or https. */
export async function fetchThrough(proxy: URL, url: URL, init: RequestInit): Promise<Response> {
	const node = (globalThis as unknown as { process: Node }).process;
	const signal = init.signal ?? undefined;
	const headers: Record<string, string> = Object.fromEntries(new Headers(init.headers));
	const body = await bytesOf(init.body);
	if (body !== undefined) headers["content-length"] = String(body.length);
	const isSecure = url.protocol === "https:";
	let call: Outgoing;
	if (isSecure) {
		const socket = await tunnel(node, proxy, url, signal);
		const servername = url.hostname.replace(/^\[|\]$/g, "");
		const { connect } = node.getBuiltinModule("node:tls");
		const createConnection = () => connect({ socket, ...(/^[\d.]+$|:/.test(servername) ? {} : { servername }) });
		call = node
			.getBuiltinModule("node:https")
			.request(url, { method: init.method, headers, signal, createConnection, agent: false });
	} else {
		const options = { ...target(proxy), method: init.method, path: url.href, signal, agent: false };
		call = protocolOf(node, proxy).request({
			...options,
			headers: { ...headers, host: url.host, ...credentials(proxy) },
		});
	}
	const answered = new Promise<Incoming>((resolve, reject) => {
		call.on("error", reject);
		call.on("response", resolve);
	});
	call.end(body);
	const answer = await answered.catch((error) =>
		Promise.reject(signal?.aborted ? signal.reason : through(error, proxy)),
	);
	const status = answer.statusCode;
	const isEmpty = init.method === "HEAD" || status === 204 || status === 304;
	if (isEmpty) answer.resume();
	const lines: [string, string][] = [];
	for (let index = 0; index < answer.rawHeaders.length; index += 2) {
		lines.push([answer.rawHeaders[index] ?? "", answer.rawHeaders[index + 1] ?? ""]);
	}
	const { Readable } = node.getBuiltinModule("node:stream");
	return new Response(isEmpty ? null : Readable.toWeb(answer), { status, headers: lines });
}

/** Text, bytes or a Blob, which is read at once. */
async function bytesOf(body: RequestInit["body"]): Promise<Uint8Array | undefined> {
	if (body === undefined || body === null) return undefined;
	if (body instanceof Uint8Array) return body;
	return body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : new TextEncoder().encode(String(body));
}

/** A connection to the host through the proxy. */
async function tunnel(node: Node, proxy: URL, { hostname, port }: URL, signal?: AbortSignal): Promise<unknown> {
	const host = `${hostname}:${port || "443"}`;
	const headers = { host, ...credentials(proxy) };
	const call = protocolOf(node, proxy).request({
		...target(proxy),
		method: "CONNECT",
		path: host,
		headers,
		signal,
		agent: false,
	});
	const connected = new Promise<unknown>((resolve, reject) => {
		call.on("connect", ({ statusCode }: Incoming, socket: { destroy(): void }) => {
			if (statusCode === 200) return resolve(socket);
			socket.destroy();
			reject(new Error(`status ${statusCode}`));
		});
		call.on("response", ({ statusCode }: Incoming) => reject(new Error(`status ${statusCode}`)));
		call.on("error", reject);
	});
	call.end();
	return connected.catch((error) => Promise.reject(signal?.aborted ? signal.reason : through(error, proxy)));
}

const protocolOf = (node: Node, { protocol }: URL) =>
	protocol === "https:" ? node.getBuiltinModule("node:https") : node.getBuiltinModule("node:http");

const target = ({ hostname, port, protocol }: URL) => ({
	host: hostname.replace(/^\[|\]$/g, ""),
	port: port || (protocol === "https:" ? "443" : "80"),
});

function credentials({ username, password }: URL): Record<string, string> {
	if (username === "") return {};
	const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
	return { "proxy-authorization": `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** @returns an error as `fetch` has it: what went wrong is its cause. */
function through(error: Error & { code?: string }, proxy: URL): Error {
	const message = `${error.message || error.code} through the proxy ${proxy.protocol}//${proxy.host}`;
	return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code: error.code }) });
}

/** The parts of Node that are used. */
interface Node {
	getBuiltinModule(name: "node:http" | "node:https"): {
		request(options: object): Outgoing;
		request(url: URL, options: object): Outgoing;
	};
	getBuiltinModule(name: "node:tls"): { connect(options: object): unknown };
	getBuiltinModule(name: "node:stream"): { Readable: { toWeb(stream: Incoming): ReadableStream } };
}
interface Outgoing {
	// biome-ignore lint/suspicious/noExplicitAny: each event has its own arguments
	on(event: string, listener: (...args: any[]) => void): void;
	end(body?: Uint8Array): void;
}
interface Incoming {
	statusCode: number;
	rawHeaders: string[];
	resume(): void;
}
