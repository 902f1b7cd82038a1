/**
 * Bodies over raw sockets. Every address refuses bodies that are too large or too slow, and none buffers them. Half a
 * body never counts as a whole one.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { problemSchema } from "@tapedeck/contract/problem.ts";
import { SESSION_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import type { StartOptions } from "#lib/server/start-server.ts";
import {
	startTestApi,
	TEST_API_KEY,
	TEST_EMAIL,
	TEST_PASSWORD,
	TEST_RUNNER_TOKEN,
	type TestApi,
} from "#test/api-server.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";
import { IncomingRequest } from "./read-request.ts";

const MIB = 1024 * 1024;
const TIMEOUT_MS = 1_500;

let api: TestApi;
let sessionId: string;

/** Stands in for Next and reads the whole body. */
const openPages = async () => ({
	handle: async (req: IncomingMessage, res: ServerResponse) => {
		await text(req);
		res.end("page");
	},
	assets: null,
	close: async () => {},
});

/** Starts a dashboard for the tests of one block: a process can hold only one at a time. */
function useApi(options: Partial<StartOptions> = {}): void {
	beforeAll(async () => {
		api = await startTestApi({}, { openPages, ...options });
		sessionId = (await api.signIn("box")).sessionId;
	});
	afterAll(() => api.stop());
}

async function open(...parts: string[]): Promise<Socket> {
	const socket = connect({ port: api.port, host: "127.0.0.1", allowHalfOpen: true });
	await once(socket, "connect");
	// Some clients still write after the server has closed its side.
	socket.on("error", () => {});
	for (const part of parts) socket.write(part.replace("SESSION", sessionId));
	return socket;
}

function problemIn(answer: string) {
	expect(answer.toLowerCase()).toContain("connection: close");
	return problemSchema.parse(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)));
}

const head = (target: string, headers: Record<string, string>): string =>
	[`POST ${target} HTTP/1.1`, "host: x", ...Object.entries(headers).map((each) => each.join(": ")), "\r\n"].join(
		"\r\n",
	);

const json = { "content-type": "application/json" };
const key = { authorization: `Bearer ${TEST_API_KEY}` };
const PLACES: [string, string, number][] = [
	["sign-in", head("/api/auth/sign-in/email", { ...json, origin: "http://x" }), 16 * 1024],
	["an open call of the API", head("/v1/setup", json), 16 * 1024],
	["a call of the API with a key", head("/v1/jobs", { ...json, ...key }), MIB],
	["a page", head("/jobs", json), 16 * 1024],
	[
		"a picture of a runner",
		head("/v1/runner/displays/:99/picture?ageMs=0", {
			"content-type": "image/jpeg",
			[SESSION_HEADER]: "SESSION",
			authorization: `Bearer ${TEST_RUNNER_TOKEN}`,
		}).replace("POST", "PUT"),
		256 * 1024,
	],
];
const announcing = (start: string, length: number) =>
	start.replace("\r\nhost", `\r\ncontent-length: ${length}\r\nhost`);
const inChunks = (start: string) => start.replace("\r\nhost", "\r\ntransfer-encoding: chunked\r\nhost");

/** Sends the same chunk repeatedly until the connection is closed. @returns the response */
async function answerWhileSending(socket: Socket, piece: string, everyMs: number): Promise<string> {
	const read: Buffer[] = [];
	socket.on("data", (bytes: Buffer) => read.push(bytes));
	const more = setInterval(() => socket.write(piece), everyMs);
	await new Promise((resolve) => socket.once("close", resolve));
	clearInterval(more);
	return Buffer.concat(read).toString();
}

describe("a body of any size", () => {
	useApi();

	describe.concurrent.each(PLACES)("for %s", (_where, start, most) => {
		test.each([
			["with its length announced", announcing(start, most + 1), " ".repeat(most + 1)],
			["in chunks", inChunks(start), `${(most + 1).toString(16)}\r\n${" ".repeat(most + 1)}\r\n0\r\n\r\n`],
		])("that is too large, %s, is refused with 413 and the connection closed", async (_how, headers, body) => {
			const socket = await open(headers, body);
			expect(problemIn(await text(socket))).toMatchObject({ status: 413, code: "payload_too_large" });
			socket.destroy();
		});

		test("that never ends is refused as soon as it is too large, however much follows", async () => {
			const socket = await open(inChunks(start));
			const answer = await answerWhileSending(socket, `10000\r\n${" ".repeat(0x10000)}\r\n`, 2);
			expect(problemIn(answer)).toMatchObject({ status: 413, code: "payload_too_large" });
		});
	});

	test("a refused body is not processed, even if its beginning is valid on its own", async () => {
		const entry = JSON.stringify({ email: TEST_EMAIL, password: TEST_PASSWORD });
		const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;
		const start = inChunks(head("/api/auth/sign-in/email", { ...json, origin: api.url }));
		const socket = await open(start, chunk(entry), chunk(" ".repeat(20_000)), "0\r\n\r\n");
		expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
		socket.destroy();
		const opened = await accountTables(api.app.db).selectFrom("session").select("id").execute();
		expect(opened).toEqual([]);
	});

	test("an address that ignores bodies answers at once, and closes the connection of a client that keeps sending", async () => {
		const places = [
			[head("/v1/nothing", {}), 404],
			[head("/v1/health", {}), 405],
			[head("/v1/health", {}).replace("POST", "GET"), 200],
			[head("/api/auth/nothing", {}), 404],
		] as const;
		const answers = places.map(async ([start]) => answerWhileSending(await open(inChunks(start)), "1\r\n \r\n", 50));
		const statuses = (await Promise.all(answers)).map((answer) => Number(answer.split(" ")[1]));
		expect(statuses).toEqual(places.map(([, status]) => status));
	});

	test("a connection is reused after an unread body that soon arrives completely", async () => {
		const socket = await open(announcing(head("/v1/jobs", json), 4), "[");
		const [first] = (await once(socket, "data")) as [Buffer];
		expect(first.toString()).toMatch(/^HTTP\/1\.1 401 /);
		socket.write(" 1]GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n");
		const [second] = (await once(socket, "data")) as [Buffer];
		expect(second.toString()).toMatch(/^HTTP\/1\.1 200 /);
		socket.destroy();
	});
});

describe("a slow body", () => {
	useApi({ bodyTimeoutMs: TIMEOUT_MS });

	test.concurrent.each(PLACES)("for %s is refused with 408 and the connection closed", async (_where, start) => {
		const answer = await answerWhileSending(await open(inChunks(start)), "1\r\n \r\n", 50);
		expect(problemIn(answer)).toMatchObject({ status: 408, code: "request_timeout" });
	});

	test("an upload may be larger and slower than any other body", async () => {
		const video = await makeExternalVideo({ bytes: 3 * MIB });
		const start = head("/v1/recordings?name=Slow", { "content-type": "video/mp4", ...key });
		const socket = await open(announcing(start, video.length));
		socket.write(video.subarray(0, 2 * MIB));
		await new Promise((resolve) => setTimeout(resolve, 3 * TIMEOUT_MS));
		socket.write(video.subarray(2 * MIB));
		const [answer] = (await once(socket, "data")) as [Buffer];
		expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 /);
		socket.destroy();
	});
});

describe("a body whose sender disconnects", () => {
	const server = createServer();
	beforeAll(async () => {
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
	});
	afterAll(() => server.close());

	/** Sends a body of 5 bytes as far as given, and disconnects. @returns the request after that. */
	async function sentAndGone(body: string): Promise<IncomingRequest> {
		const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
		const requested = once(server, "request");
		socket.write(`POST /v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n${body}`);
		const [req, res] = (await requested) as [IncomingMessage, ServerResponse];
		const closed = once(res, "close");
		socket.destroy();
		await closed;
		return new IncomingRequest(req, res, new URL("http://localhost/v1/jobs"));
	}

	test("a body that arrived completely can be read, although its sender has disconnected", async () => {
		expect(Buffer.from(await (await sentAndGone("12345")).body(16)).toString()).toBe("12345");
	});

	test("half a body is refused, never taken for a whole one", async () => {
		const error = await (await sentAndGone("12")).body(16).catch((error: unknown) => error);
		expect(isTapedeckError(error) && error.code).toBe("bad_request");
	});

	test("a listener for a disconnection is told of one that has already happened", async () => {
		const request = await sentAndGone("12345");
		let isGone = false;
		request.onDisconnect(() => {
			isGone = true;
		});
		expect(isGone).toBe(true);
	});
});
