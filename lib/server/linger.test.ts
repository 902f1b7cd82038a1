import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

/** More than the client can send before the refusal, and little enough to be sent within the 2 s of read-request.ts. */
const BYTES = 12 * 1024 * 1024;

/** Starts an upload without credentials, which is refused by its headers. */
async function beginUpload(): Promise<Socket> {
	const socket = connect({ port: api.port, host: "127.0.0.1", allowHalfOpen: true });
	await once(socket, "connect");
	socket.write(
		`POST /v1/recordings?name=x HTTP/1.1\r\nhost: x\r\ncontent-type: video/mp4\r\ncontent-length: ${BYTES}\r\n\r\n`,
	);
	return socket;
}

test("a client that reads only after sending everything still gets an early refusal", async () => {
	const socket = await beginUpload();
	const sent = new Promise<void>((resolve, reject) => {
		socket.once("error", reject);
		socket.write(Buffer.alloc(BYTES - 1), () => resolve());
	});
	await sent;
	expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
	socket.destroy();
});

test("a client that keeps sending after the response is cut off", async () => {
	const socket = await beginUpload();
	socket.resume();
	socket.on("error", () => undefined);
	const more = setInterval(() => socket.write(Buffer.alloc(1_000)), 20);
	await new Promise((resolve) => socket.once("close", resolve));
	clearInterval(more);
	expect(socket.bytesWritten).toBeLessThan(BYTES);
});
