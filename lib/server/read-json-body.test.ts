import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemResponse } from "./problem.ts";
import { readJsonBody } from "./read-json-body.ts";

let server: Server;
beforeAll(async () => {
	const read = async (request: Request) =>
		readJsonBody(request, 300).then(
			(body) => Response.json(body),
			(error: unknown) => problemResponse(error, "test", null),
		);
	server = createServer(getRequestListener(read, { overrideGlobalObjects: false })).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const HEAD = "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";

test.each([
	["with a length", `${HEAD}content-length: 100\r\n\r\n{`],
	["in chunks", `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
])("a body that never comes to its end, %s, is given up on and its connection closed", async (_how, bytes) => {
	const answer = await new Promise<string>((resolve, reject) => {
		const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(bytes));
		const read: Buffer[] = [];
		socket.on("data", (chunk) => read.push(chunk));
		socket.on("error", reject);
		socket.on("close", () => resolve(Buffer.concat(read).toString()));
	});
	expect(answer).toMatch(/^HTTP\/1.1 408 /);
	expect(answer).toContain('"code":"request_timeout"');
});
