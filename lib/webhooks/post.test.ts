/** Receivers of every kind, at real sockets. */

import type { lookup } from "node:dns";
import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer, type LookupFunction } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeCertificate } from "#test/servers/nginx.ts";
import { startWebhookReceiver, verified } from "#test/servers/webhook-receiver.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { allowedAddresses, allowedLookup, refusalOf } from "./allowed-address.ts";
import { postSigned } from "./post.ts";
import { createSend } from "./send.ts";

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const usual = createSend(allowedAddresses(["127.0.0.0/8"]), 500);

const send = (url: string, by = usual) =>
	postSigned(
		by,
		{ url, messageId: "msg_1", body: "{}", secrets: [SECRET], at: Date.now() },
		new AbortController().signal,
	);

async function receiverThat(answer: Parameters<typeof startWebhookReceiver>[0]) {
	const receiver = await startWebhookReceiver(answer);
	onTestFinished(() => receiver.close());
	return receiver;
}

test("an answer of 2xx is a success, with the beginning of its text", async () => {
	const receiver = await receiverThat((response) => response.end(`thanks${"x".repeat(10_000)}`));
	const sent = await send(receiver.url);
	expect(sent).toMatchObject({ status: 200, error: null });
	expect(sent.answer).toMatch(/^thanksx+/);
	expect(sent.answer?.length).toBeLessThanOrEqual(4_096);
	expect(verified(receiver.arrived[0] as never, SECRET)).toEqual({});
});

test("nothing of a request is left on the signal that ends the process, nor a timer", async () => {
	const receiver = await receiverThat(204);
	const stop = new AbortController();
	const message = { url: receiver.url, messageId: "msg_1", body: "{}", secrets: [SECRET], at: Date.now() };
	const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
	await postSigned(usual, message, stop.signal);
	const [before, listeners] = [timers(), getEventListeners(stop.signal, "abort").length];
	for (let at = 0; at < 20; at += 1) await postSigned(usual, message, stop.signal);
	expect(timers()).toBeLessThan(before + 10);
	expect(getEventListeners(stop.signal, "abort")).toHaveLength(listeners);
	stop.abort();
	expect(await postSigned(usual, message, stop.signal)).toMatchObject({ status: null });
});

test("a redirect is a failure, and nobody asks where it leads", async () => {
	const target = await receiverThat(204);
	const receiver = await receiverThat((response) => response.writeHead(302, { location: target.url }).end());
	expect(await send(receiver.url)).toMatchObject({ status: 302, error: expect.stringContaining("redirects") });
	expect(target.arrived).toEqual([]);
});

test("a receiver that never answers fails after the time that it has", async () => {
	const receiver = await receiverThat(() => undefined);
	expect(await send(receiver.url)).toMatchObject({ status: null, error: expect.stringContaining("0.5 seconds") });
});

test("an endless answer is read for a little, and its status counts", async () => {
	let written = 0;
	const receiver = await receiverThat((response) => {
		const more = () => {
			while (!response.destroyed && response.write(Buffer.alloc(65_536, "y"))) written += 65_536;
		};
		response.on("drain", more);
		more();
	});
	expect(await send(receiver.url)).toMatchObject({ status: 200, error: null });
	expect(written).toBeLessThan(50_000_000);
});

test("a receiver that closes the connection fails, and its port when nobody listens", async () => {
	const server = createServer((socket) => socket.destroy());
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	expect(await send(url)).toMatchObject({ status: null, error: expect.stringContaining("closed the connection") });
	await new Promise((resolve) => server.close(resolve));
	expect(await send(url)).toMatchObject({ error: "The receiver refused the connection." });
});

test.each([
	["within the head of its answer fails", "HTTP/1.1 200 OK\r\ncontent-le", { status: null, error: expect.any(String) }],
	[
		"within the text of its answer has taken the message",
		"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegun",
		{ status: 200, error: null, answer: "begun" },
	],
])("a receiver that closes the connection %s", async (_what, answer, sent) => {
	const server = createServer((socket) => socket.once("data", () => socket.end(answer)));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	expect(await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toMatchObject(sent);
});

test("a receiver whose certificate nobody has signed fails, and gets nothing", async () => {
	const folder = await temporaryFolder("receiver");
	const files = await makeCertificate(folder);
	const [cert, key] = [await readFile(files.certificate), await readFile(files.key)];
	let requests = 0;
	const server = createSecureServer({ cert, key }, () => (requests += 1));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const sent = await send(`https://localhost:${(server.address() as AddressInfo).port}/`);
	expect(sent).toMatchObject({ status: null, error: "The receiver's certificate is signed by itself." });
	expect(requests).toBe(0);
});

test("a name whose address changes to a private one is refused, and of several addresses only public ones are used", async () => {
	const answers = [["127.0.0.1", "93.184.215.14"], ["93.184.215.14"], ["10.0.0.1", "::1"]];
	const rebinds = ((_host: string, _options: object, callback: (error: null, addresses: object[]) => void) => {
		callback(null, answers.shift()?.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })) ?? []);
	}) as unknown as typeof lookup;
	const find = allowedLookup(allowedAddresses([]), rebinds);
	const found = () =>
		new Promise<unknown[]>((resolve) => {
			find("rebinds.test", {}, ((...found: unknown[]) => resolve(found)) as Parameters<LookupFunction>[2]);
		});
	expect(await found()).toEqual([null, "93.184.215.14", 4]);
	expect(await found()).toEqual([null, "93.184.215.14", 4]);
	expect(await found()).toEqual([new Error(refusalOf("10.0.0.1")), []]);
	expect(answers).toEqual([]);
});

test("plain text where TLS is expected fails with a sentence", async () => {
	const receiver = await receiverThat(204);
	const sent = await send(receiver.url.replace("http:", "https:"));
	expect(sent).toMatchObject({ status: null, error: expect.any(String) });
	expect(receiver.arrived).toEqual([]);
});

test.each([
	["2", 2_000],
	[new Date(Date.now() + 100_000).toUTCString(), 100_000],
	["soon", 0],
])("Retry-After: %s is understood", async (header, ms) => {
	const receiver = await receiverThat((response) => response.writeHead(503, { "retry-after": header }).end());
	const { retryAfterMs } = await send(receiver.url);
	expect(Math.abs(retryAfterMs - ms)).toBeLessThan(5_000);
});

test("a private address is refused before anything is sent, by number and by name", async () => {
	const receiver = await receiverThat(204);
	const strict = createSend(allowedAddresses([]), 500);
	for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"]) {
		const url = receiver.url.replace("127.0.0.1", host);
		expect(await send(url, strict)).toMatchObject({ status: null, error: expect.stringContaining("not a public") });
	}
	expect(receiver.arrived).toEqual([]);
});

test.each([
	...["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1"],
	...["::1", "::", "fe80::1", "fc00::1", "fd12::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1"],
	...["255.255.255.255", "198.18.0.1", "192.0.2.1", "2001:db8::1"],
])("%s is not a public address", (address) => {
	expect(allowedAddresses([])(address)).toBe(false);
});

test("addresses that the operator names are allowed, with their networks, and public ones always", () => {
	const isAllowed = allowedAddresses(["10.0.0.0/8", "fd00::/8", "192.168.1.7"]);
	for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "192.168.1.7", "93.184.215.14", "2606:4700::1111"])
		expect(isAllowed(address)).toBe(true);
	for (const address of ["192.168.1.8", "127.0.0.1", "fc00::1"]) expect(isAllowed(address)).toBe(false);
});
