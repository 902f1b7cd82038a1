import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemSchema } from "#lib/contract/problem.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

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
