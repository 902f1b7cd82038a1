import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientAddress, markPeer, PEER_ADDRESS_HEADER, TRUST_NOBODY, trustProxies } from "./client-address.ts";

let server: Server;
let trusts = TRUST_NOBODY;

beforeAll(async () => {
	server = createServer((req: IncomingMessage, res) => {
		markPeer(req, trusts);
		const headers = new Headers(req.headers as Record<string, string>);
		res.end(JSON.stringify({ client: clientAddress(headers), peer: headers.get(PEER_ADDRESS_HEADER) }));
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
});
afterAll(() => server.close());

async function seen(headers: Record<string, string>): Promise<{ client: string; peer: string }> {
	const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
	return (await response.json()) as { client: string; peer: string };
}

test("without a trusted proxy, no client can claim an address", async () => {
	trusts = TRUST_NOBODY;
	const claims = { "x-forwarded-for": "192.0.2.1", "x-tapedeck-client": "192.0.2.2", "x-tapedeck-peer": "192.0.2.3" };
	expect(await seen(claims)).toEqual({ client: "127.0.0.1", peer: "127.0.0.1" });
});

test("a trusted proxy is believed about the address that it adds, not about those that the client sent", async () => {
	trusts = trustProxies(["127.0.0.1", "10.0.0.0/8"]);
	expect(await seen({ "x-forwarded-for": "192.0.2.1" })).toMatchObject({ client: "192.0.2.1", peer: "127.0.0.1" });
	expect(await seen({ "x-forwarded-for": "203.0.113.9, 192.0.2.1" })).toMatchObject({ client: "192.0.2.1" });
	expect(await seen({ "x-forwarded-for": "203.0.113.9, 192.0.2.1, 10.1.2.3" })).toMatchObject({ client: "192.0.2.1" });
	expect(await seen({ "x-forwarded-for": "2001:db8::7" })).toMatchObject({ client: "2001:db8::7" });
	expect(await seen({})).toMatchObject({ client: "127.0.0.1" });
});

test("a forwarded header without a valid address is ignored", async () => {
	trusts = trustProxies(["127.0.0.1"]);
	for (const header of ["evil", "192.0.2.1, ;drop", "192.0.2.999"]) {
		expect(await seen({ "x-forwarded-for": header })).toMatchObject({ client: "127.0.0.1" });
	}
});
