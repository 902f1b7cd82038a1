/** A server that expects the requests of a vector, in their order, and gives their answers. See README.md. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";

export interface Exchange {
	request: {
		method: string;
		path: string;
		query?: Record<string, string | string[]>;
		headers?: Record<string, string>;
		body?: unknown;
	};
	response: { cut: true } | { status: number; headers?: Record<string, string>; body?: unknown };
}

export interface Vector {
	title: string;
	operation: string;
	arguments?: Record<string, unknown>;
	exchanges: Exchange[];
	result?: unknown;
	error?: { status: number; code: string; detail?: string; errors?: unknown[] };
}

export interface ReplayServer {
	url: string;
	/** Wrong requests so far, and requests that were not made. */
	complaints(): string[];
	/** When each request arrived, in milliseconds. */
	readonly times: readonly number[];
	stop(): Promise<void>;
}

/** The key that clients send. */
export const VECTOR_KEY = "tdk_vectors";

export async function startReplayServer(exchanges: readonly Exchange[]): Promise<ReplayServer> {
	const wrong: string[] = [];
	const times: number[] = [];
	let previous: IncomingMessage | null = null;
	const serve = async (req: IncomingMessage, res: ServerResponse) => {
		if (req.url === "/v1/health") return void res.writeHead(200, { "content-type": "application/json" }).end("{}");
		// The port belonged to another server before, and callers of that server may not know yet.
		if (req.headers.authorization !== `Bearer ${VECTOR_KEY}`) return void res.writeHead(401).end();
		const exchange = exchanges[times.length];
		times.push(performance.now());
		const body = await bodyOf(req);
		const asked = `${req.method} ${req.url}`;
		if (exchange === undefined) {
			wrong.push(`${asked} is one request too many`);
			return void res.writeHead(404).end();
		}
		const faults = faultsOf(exchange.request, req, body, previous);
		wrong.push(...faults.map((fault) => `request ${times.length}, ${asked}: ${fault}`));
		previous = req;
		const { response } = exchange;
		if ("cut" in response) return void req.socket.destroy();
		const isJson = response.body !== undefined && response.headers?.["content-type"] === undefined;
		res.writeHead(response.status, { ...(isJson ? { "content-type": "application/json" } : {}), ...response.headers });
		res.end(response.body === undefined ? undefined : JSON.stringify(response.body));
	};
	const server = createServer((req, res) => {
		serve(req, res).catch((error) => {
			wrong.push(String(error));
			req.socket.destroy();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		complaints: () => [
			...wrong,
			...exchanges.slice(times.length).map(({ request }) => `${request.method} ${request.path} was not requested`),
		],
		times,
		async stop() {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}

async function bodyOf(req: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of req) chunks.push(chunk);
	return Buffer.concat(chunks).toString("utf8");
}

function faultsOf(
	{ method, path, query = {}, headers = {}, body }: Exchange["request"],
	req: IncomingMessage,
	sent: string,
	previous: IncomingMessage | null,
): string[] {
	const url = new URL(req.url ?? "/", "http://replay");
	const faults: string[] = [];
	const compare = (what: string, wanted: unknown, got: unknown) => {
		if (!isDeepStrictEqual(wanted, got)) {
			faults.push(`${what} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
		}
	};
	compare("the method", method, req.method);
	compare("the path", path, url.pathname);
	compare("the query", sorted(Object.entries(query).flatMap(pairs)), sorted([...url.searchParams]));
	for (const [name, value] of Object.entries(headers)) {
		const got = req.headers[name.toLowerCase()];
		const wanted = value === "<same>" ? previous?.headers[name.toLowerCase()] : value === "*" ? got : value;
		if (got === undefined) faults.push(`the header ${name} is missing`);
		else compare(`the header ${name}`, wanted, got);
	}
	compare("the body", body, sent === "" ? undefined : JSON.parse(sent));
	return faults;
}

const pairs = ([name, value]: [string, string | string[]]): [string, string][] =>
	[value].flat().map((each) => [name, each]);

const sorted = (entries: [string, string][]): string[] => entries.map((entry) => entry.join("=")).sort();
