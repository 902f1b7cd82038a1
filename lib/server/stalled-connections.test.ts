import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { guardConnections } from "./read-request.ts";

const TIMEOUT_MS = 1_500;
/** Well below twice the timeout, when Node's own timer would close the connection. */
const LATEST_MS = TIMEOUT_MS * 1.6;

let server: Server;
let clients: Socket[];
/** The server's side of each connection, in connection order. */
let accepted: Socket[];

beforeEach(async () => {
	[clients, accepted] = [[], []];
	server = createServer((req, res) => {
		if (req.method === "GET") void pipeline(Readable.from(endless()), res).catch(() => undefined);
		else req.resume();
	});
	server.on("connection", (socket) => accepted.push(socket));
	guardConnections(server, TIMEOUT_MS);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
	for (const socket of [...clients, ...accepted]) socket.destroy();
	await new Promise((resolve) => server.close(resolve));
});

function* endless(): Generator<Buffer> {
	for (;;) yield Buffer.alloc(64 * 1024);
}

async function send(head: string): Promise<{ client: Socket; atServer: Socket }> {
	const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
	client.on("error", () => undefined);
	client.pause();
	clients.push(client);
	client.write(`${head}\r\nHost: x\r\n\r\n`);
	await expect.poll(() => accepted[clients.indexOf(client)]?.bytesRead ?? 0).toBeGreaterThan(0);
	return { client, atServer: accepted[clients.indexOf(client)] as Socket };
}

/** Waits until the response fills every buffer in between and nothing moves any more. */
async function stuck(atServer: Socket): Promise<void> {
	let before = -1;
	while (before !== atServer.bytesWritten) {
		before = atServer.bytesWritten;
		await new Promise((resolve) => setTimeout(resolve, 150));
	}
}

const closed = (socket: Socket): Promise<"closed"> =>
	new Promise((resolve) => (socket.destroyed ? resolve("closed") : socket.once("close", () => resolve("closed"))));
/** One that the server has closed by then is not late, although its event may come after this timer. */
const late = (socket: Socket) =>
	new Promise<"closed" | "late">((resolve) =>
		setTimeout(() => resolve(socket.destroyed ? "closed" : "late"), LATEST_MS),
	);

test("the connection of a response that nobody reads is closed after the timeout, not after twice as long", async () => {
	const { atServer } = await send("GET / HTTP/1.1");
	await stuck(atServer);
	expect(await Promise.race([closed(atServer), late(atServer)])).toBe("closed");
});

test("the connection of a body that stops arriving is closed after the timeout", async () => {
	const { atServer } = await send("POST / HTTP/1.1\r\nContent-Length: 10");
	expect(await Promise.race([closed(atServer), late(atServer)])).toBe("closed");
});

test("slow connections stay open as long as bytes move in either direction", async () => {
	const reading = await send("GET / HTTP/1.1");
	await stuck(reading.atServer);
	const sending = await send("POST / HTTP/1.1\r\nContent-Length: 1000");
	const idle = await send("POST / HTTP/1.1\r\nContent-Length: 10");
	let received = 0;
	reading.client.on("data", (piece) => {
		received += piece.length;
		// Enough for the client's kernel to announce that it can receive more.
		if (received >= 4_000_000) reading.client.pause();
	});
	const moving = setInterval(() => {
		received = 0;
		reading.client.resume();
		sending.client.write("x");
	}, TIMEOUT_MS / 6);
	try {
		await closed(idle.atServer);
		const other = await send("POST / HTTP/1.1\r\nContent-Length: 10");
		await closed(other.atServer);
		expect([reading.atServer.destroyed, sending.atServer.destroyed]).toEqual([false, false]);
	} finally {
		clearInterval(moving);
	}
});
