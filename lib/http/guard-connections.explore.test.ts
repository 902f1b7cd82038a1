/** Connections whose clients stall, send something other than HTTP, or keep sending after their response. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { problemSchema } from "@tapedeck/contract/problem.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { guardConnections } from "./read-request.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

describe("an early answer", () => {
	/** More than the client can send before the refusal, and little enough to be sent within the 2 s of read-request.ts. */
	const BYTES = 12 * 1024 * 1024;

	/** Starts a call without credentials, which is refused by its headers. */
	async function beginCall(path = "/v1/recordings?name=x", headers = ""): Promise<Socket> {
		const socket = connect({ port: api.port, host: "127.0.0.1", allowHalfOpen: true });
		await once(socket, "connect");
		socket.write(
			`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: video/mp4\r\ncontent-length: ${BYTES}\r\n${headers}\r\n`,
		);
		return socket;
	}

	test.each([
		["", "/v1/recordings?name=x", ""],
		[", also if it asked to close the connection", "/v1/jobs", "connection: close\r\n"],
	])("a client that reads only after sending everything still gets an early refusal%s", async (_also, path, headers) => {
		const socket = await beginCall(path, headers);
		const sent = new Promise<void>((resolve, reject) => {
			socket.once("error", reject);
			socket.write(Buffer.alloc(BYTES - 1), () => resolve());
		});
		await sent;
		expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
		socket.destroy();
	});

	test("a client that keeps sending after the response is cut off", async () => {
		const socket = await beginCall();
		socket.resume();
		socket.on("error", () => undefined);
		const more = setInterval(() => socket.write(Buffer.alloc(1_000)), 20);
		await new Promise((resolve) => socket.once("close", resolve));
		clearInterval(more);
		expect(socket.bytesWritten).toBeLessThan(BYTES);
	});
});

describe("data that is no request", () => {
	/** Sends raw bytes and reads until the server closes the connection. */
	function send(...parts: string[]): Promise<string> {
		return new Promise((resolve, reject) => {
			const socket = connect(api.port, "127.0.0.1", () => {
				for (const part of parts) socket.write(part);
			});
			const read: Buffer[] = [];
			socket.on("data", (bytes) => read.push(bytes));
			socket.on("error", reject);
			socket.on("close", () => resolve(Buffer.concat(read).toString()));
		});
	}

	test.each([
		["no HTTP at all", "hello\r\n\r\n", 400, "bad_request"],
		[
			"two lengths",
			"POST /v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
			400,
			"bad_request",
		],
		[
			"a length and chunks, which smuggles a request",
			"POST /v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
			400,
			"bad_request",
		],
		["OPTIONS of everything", "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n", 400, "bad_request"],
		[
			"a target with scheme and host, as proxies are sent",
			"GET http://x/v1/health HTTP/1.1\r\nhost: x\r\n\r\n",
			400,
			"bad_request",
		],
		["two hosts", "GET /v1/health HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n", 400, "bad_request"],
		["no host", "GET /v1/health HTTP/1.1\r\n\r\n", 400, "bad_request"],
		[
			"a host that is none",
			"GET /api/auth/get-session HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n",
			400,
			"bad_request",
		],
		[
			"headers without end",
			`GET /v1/jobs HTTP/1.1\r\nhost: x\r\nx-much: ${"a".repeat(20_000)}\r\n\r\n`,
			431,
			"headers_too_large",
		],
	])("%s is answered with a problem document, and the connection is closed", async (_what, bytes, status, code) => {
		const answer = await send(bytes);
		expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
		expect(answer.toLowerCase()).toContain("connection: close");
		const problem = problemSchema.parse(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)));
		expect(problem).toMatchObject({ status, code });
	});

	test("it closes the connection of an answer that has begun, and nothing is added to that answer", async () => {
		const socket = connect(api.port, "127.0.0.1");
		socket.write(`GET /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_API_KEY}\r\n\r\n`);
		const [begun] = (await once(socket, "data")) as [Buffer];
		expect(begun.toString()).toMatch(/^HTTP\/1\.1 200 /);
		socket.write("hello\r\n\r\n");
		expect(await text(socket).catch(({ code }) => code)).not.toContain("HTTP/1.1");
	});
});

describe("a stalled connection", () => {
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
			if (req.url === "/slow") setTimeout(() => res.end("late"), 2 * TIMEOUT_MS);
			else if (req.url === "/never") req.resume();
			else if (req.method === "GET") void pipeline(Readable.from(endless()), res).catch(() => undefined);
			else req.resume();
		});
		server.on("connection", (socket) => accepted.push(socket));
		guardConnections(server, TIMEOUT_MS, 2.5 * TIMEOUT_MS);
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
	/** A socket that the server has closed in the meantime is not late, although its event may come after this timer. */
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

	test("an answer that takes longer than the timeout to create is sent, and one that is never created is given up", async () => {
		const slow = await send("GET /slow HTTP/1.1");
		const never = await send("GET /never HTTP/1.1");
		slow.client.resume();
		const [answer] = (await once(slow.client, "data")) as [Buffer];
		expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 .*late$/s);
		expect(never.atServer.destroyed).toBe(false);
		expect(await closed(never.atServer)).toBe("closed");
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
});
