/** The WebSockets of a grid's sessions on a real socket, whose messages are scripted, faults included (RFC 6455). */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

/** Frames of a client are masked, and here short enough to be unfragmented. */
function* framesIn(bytes: Buffer): Generator<{ opcode: number; payload: Buffer; end: number }> {
	for (let start = 0; start + 2 <= bytes.length; ) {
		const short = (bytes[start + 1] ?? 0) & 0x7f;
		const [length, header] = short < 126 ? [short, 2] : [bytes.readUInt16BE(start + 2), 4];
		const end = start + header + 4 + length;
		if (end > bytes.length) return;
		const mask = bytes.subarray(start + header, start + header + 4);
		const payload = Buffer.from(bytes.subarray(start + header + 4, end));
		for (let index = 0; index < length; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
		yield { opcode: (bytes[start] ?? 0) & 0x0f, payload, end };
		start = end;
	}
}

function frame(opcode: number, payload: Buffer): Buffer {
	const { length } = payload;
	const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
	header[0] = 0x80 | opcode;
	header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
	if (header.length === 4) header.writeUInt16BE(length, 2);
	if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
	return Buffer.concat([header, payload]);
}

export type Command = { id: number; method: string; params?: Record<string, unknown>; sessionId?: string };

export class BrowserSocket {
	readonly path: string;
	readonly authorization: string | undefined;
	/** The commands received so far. */
	readonly commands: Command[] = [];
	readonly #socket: Socket;
	isClosed = false;

	constructor(socket: Socket, path: string, authorization: string | undefined) {
		this.#socket = socket;
		this.path = path;
		this.authorization = authorization;
		let rest: Buffer = Buffer.alloc(0);
		socket.on("data", (chunk) => {
			rest = Buffer.concat([rest, chunk]);
			let read = 0;
			for (const { opcode, payload, end } of framesIn(rest)) {
				read = end;
				if (opcode === TEXT) this.commands.push(JSON.parse(payload.toString()));
				if (opcode === CLOSE) socket.end(frame(CLOSE, payload));
			}
			rest = rest.subarray(read);
		});
		socket.on("error", () => undefined);
		socket.on("close", () => {
			this.isClosed = true;
		});
	}

	/** @param message sent as it is if it is a text, else as JSON. */
	send(message: unknown): void {
		this.#socket.write(frame(TEXT, Buffer.from(typeof message === "string" ? message : JSON.stringify(message))));
	}

	sendBytes(bytes: Buffer): void {
		this.#socket.write(frame(BINARY, bytes));
	}

	/** Resolves when more can be sent without being kept here. */
	async drained(): Promise<void> {
		if (this.#socket.writableNeedDrain) await new Promise((resolve) => this.#socket.once("drain", resolve));
	}

	/** Breaks the connection, as a crash of its machine does. */
	destroy(): void {
		this.#socket.resetAndDestroy();
	}
}

export interface ScriptedBrowser {
	/** The base URL of its grid. */
	url: string;
	/** The opened sockets, in order. */
	readonly sockets: BrowserSocket[];
	/** Requests for a connection so far. */
	asked(): number;
	stop(): Promise<void>;
}

/**
 * @param options.answers whether connections are opened; otherwise, requests for one stay unanswered.
 * @param options.refused the prefix of paths that are refused.
 * @param options.status the grid's answer to requests.
 */
export async function startScriptedBrowser({
	answers = true,
	refused = null,
	status = null,
}: {
	answers?: boolean;
	refused?: string | null;
	status?: unknown;
} = {}): Promise<ScriptedBrowser> {
	const sockets: BrowserSocket[] = [];
	const open = new Set<Socket>();
	let asked = 0;
	const server = createServer((_, response) => {
		response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(status));
	});
	server.on("connection", (socket) => {
		open.add(socket);
		socket.on("close", () => open.delete(socket));
	});
	server.on("upgrade", (request, socket: Socket) => {
		asked += 1;
		if (!answers) return;
		if (refused !== null && request.url?.startsWith(refused)) {
			socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
			return;
		}
		const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${KEY_SUFFIX}`).digest("base64");
		const switching = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
		socket.write([...switching, `Sec-WebSocket-Accept: ${key}`, "", ""].join("\r\n"));
		sockets.push(new BrowserSocket(socket, request.url ?? "", request.headers.authorization));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		sockets,
		asked: () => asked,
		async stop() {
			for (const socket of open) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
