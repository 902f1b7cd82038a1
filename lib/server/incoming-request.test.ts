import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isTapedeckError } from "#lib/core/errors.ts";
import { IncomingRequest } from "./read-request.ts";

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

test("who listens for a disconnection hears of one that has already happened", async () => {
	const request = await sentAndGone("12345");
	let isGone = false;
	request.onDisconnect(() => {
		isGone = true;
	});
	expect(isGone).toBe(true);
});
