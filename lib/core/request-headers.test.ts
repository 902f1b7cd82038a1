import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IncomingHeaders } from "./request-headers.ts";

const server = createServer();
beforeAll(async () => {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
});
afterAll(() => server.close());

/** @returns the headers of a request sent with these lines: as they are read here, and as the web's own Headers. */
async function sent(...lines: string[]): Promise<{ read: IncomingHeaders; web: Headers }> {
	const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
	const requested = once(server, "request");
	socket.write(["GET / HTTP/1.1", "Host: x", ...lines, "", ""].join("\r\n"));
	const [req, res] = (await requested) as [IncomingMessage, ServerResponse];
	const web = new Headers();
	for (let index = 0; index < req.rawHeaders.length; index += 2) {
		web.append(req.rawHeaders[index] as string, req.rawHeaders[index + 1] as string);
	}
	res.end();
	socket.destroy();
	return { read: new IncomingHeaders(req), web };
}

const LINES = [
	...["authorization: Bearer one", "Authorization: Bearer two", "COOKIE: a=1", "cookie: b=2", "x-empty:"],
	...["Content-Type: application/json", "X-Forwarded-For: 192.0.2.1", "x-forwarded-for:  192.0.2.2 "],
];

test("each header reads as the web's own Headers reads it, sent once or twice, in any case", async () => {
	const { read, web } = await sent(...LINES);
	const names = ["host", "Authorization", "cookie", "x-empty", "content-type", "x-forwarded-for", "absent"];
	const values = (headers: Pick<Headers, "get" | "has">) =>
		names.map((name) => [name, headers.has(name), headers.get(name)]);
	expect(values(read)).toEqual(values(web));
	expect(read.get("authorization")).toBe("Bearer one, Bearer two");
});

test("all of them can be copied into the web's own Headers", async () => {
	const { read, web } = await sent(...LINES);
	expect([...new Headers([...read])]).toEqual([...web]);
});
