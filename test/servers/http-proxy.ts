/** A forward proxy, as companies have them: absolute-form for http, CONNECT for https. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";

export interface HttpProxy {
	url: string;
	/** Requests so far, such as `CONNECT host:443` and `GET http://host/path`. */
	readonly requests: string[];
	/** The credentials of the last request, as in its header. */
	authorization(): string | undefined;
	stop(): Promise<void>;
}

/** @param hosts where the names lead that only the proxy can resolve, such as `{"tapedeck.test": 4000}`: ports of this machine. */
export async function startHttpProxy(hosts: Record<string, number>): Promise<HttpProxy> {
	const requests: string[] = [];
	let authorization: string | undefined;
	const tunnels = new Set<Duplex>();
	const forward = (incoming: IncomingMessage, response: ServerResponse) => {
		const url = URL.parse(incoming.url ?? "");
		requests.push(`${incoming.method} ${incoming.url}`);
		const { "proxy-authorization": credentials, "proxy-connection": _connection, ...headers } = incoming.headers;
		authorization = credentials;
		const port = url === null ? undefined : hosts[url.hostname];
		// A proxy is not a server: it takes no relative paths.
		if (url === null || port === undefined) return void response.writeHead(502).end("no such host");
		const path = `${url.pathname}${url.search}`;
		const onward = request({ port, host: "127.0.0.1", path, method: incoming.method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.on("error", () => response.destroy());
		response.on("close", () => onward.destroy());
		incoming.pipe(onward);
	};
	const server = createServer(forward);
	server.requestTimeout = 0;
	server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
		requests.push(`CONNECT ${incoming.url}`);
		authorization = incoming.headers["proxy-authorization"];
		const port = hosts[incoming.url?.replace(/:\d+$/, "") ?? ""];
		if (port === undefined) return void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
		const target = connect(port, "127.0.0.1", () => {
			client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
			target.write(head);
			target.pipe(client).pipe(target);
		});
		for (const end of [client, target]) {
			tunnels.add(end);
			end.on("error", () => undefined);
			end.on("close", () => {
				client.destroy();
				target.destroy();
			});
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		authorization: () => authorization,
		stop: async () => {
			for (const end of tunnels) end.destroy();
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
