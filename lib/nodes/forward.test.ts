import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#test/processes/free-port.ts";
import { CallSigner, forward } from "./forward.ts";

const signer = new CallSigner(["key"], { now: () => Date.now() });
const PIECE = Buffer.alloc(25_000, "piece");

async function listen(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
	const server: Server = createServer(answer);
	onTestFinished(() => void server.close().closeAllConnections());
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Options = Partial<Parameters<typeof forward>[4]>;

/** A server that passes each call on, and what became of the last one. */
async function startForwarder(to: string, optionsFor: (res: ServerResponse) => Options = () => ({})) {
	const ends: Promise<boolean>[] = [];
	const signal = new AbortController().signal;
	const url = await listen((req, res) => {
		ends.push(forward(to, signer, req, res, { streams: false, signal, isGone: () => false, ...optionsFor(res) }));
	});
	return { url, ended: () => ends.at(-1) as Promise<boolean> };
}

function call(
	url: string,
	method: string,
	body: readonly Buffer[],
	apartMs = 0,
): Promise<{ status: number; text: string }> {
	return new Promise((resolve, reject) => {
		const length = body.reduce((sum, part) => sum + part.length, 0);
		const sent = request(url, { method, headers: length > 0 ? { "content-length": length } : {} }, async (answer) => {
			resolve({ status: answer.statusCode ?? 0, text: (await answer.setEncoding("utf8").toArray()).join("") });
		});
		sent.on("error", reject);
		void (async () => {
			for (const part of body) {
				sent.write(part);
				await pause(apartMs);
			}
			sent.end();
		})();
	});
}

/** Answers with the request that it received. */
const startEcho = () =>
	listen(async (req, res) => {
		const body = Buffer.concat(await req.toArray());
		if (req.method === "PATCH") res.writeHead(204, { "upload-offset": body.length }).end();
		else res.end(`${req.method} ${body.length} ${body.equals(Buffer.concat([PIECE, PIECE]))}`);
	});

test("a body arrives whole, whether at once or in parts, and so does the answer", async () => {
	const { url } = await startForwarder(await startEcho());
	expect(await call(url, "POST", [Buffer.concat([PIECE, PIECE])])).toEqual({ status: 200, text: "POST 50000 true" });
	expect(await call(url, "POST", [PIECE, PIECE], 50)).toEqual({ status: 200, text: "POST 50000 true" });
	expect(await call(url, "PATCH", [PIECE])).toEqual({ status: 204, text: "" });
	expect(await call(url, "GET", [])).toEqual({ status: 200, text: "GET 0 false" });
	expect(await call(url, "HEAD", [])).toEqual({ status: 200, text: "" });
});

test("a call whose answer is not accepted can be passed on to another dashboard", async () => {
	const none = await listen((_req, res) => void res.writeHead(404).end("none"));
	const echo = await startEcho();
	const signal = new AbortController().signal;
	const options = { streams: false, signal, isGone: () => false, accepts: (status: number) => status < 400 };
	const accepted: boolean[] = [];
	const url = await listen(async (req, res) => {
		for (const to of [none, echo]) accepted.push(await forward(to, signer, req, res, options));
	});
	expect(await call(url, "GET", [])).toEqual({ status: 200, text: "GET 0 false" });
	expect(accepted).toEqual([false, true]);
});

test("a caller that leaves in the instant in which the answer arrives does no harm", async () => {
	const to = await listen((_req, res) => void res.end("answer"));
	const forwarder = await startForwarder(to, (res) => ({
		accepts: () => {
			res.destroy();
			return true;
		},
	}));
	await expect(call(forwarder.url, "GET", [])).rejects.toThrow("hang up");
	expect(await forwarder.ended()).toBe(true);
});

test("a dashboard that does not listen is reported as unavailable", async () => {
	const port = await freePort();
	const failures: unknown[] = [];
	const signal = new AbortController().signal;
	const url = await listen((req, res) => {
		const options = { streams: false, signal, isGone: () => false };
		forward(`http://127.0.0.1:${port}`, signer, req, res, options).catch((error: { code: string }) => {
			failures.push(error.code);
			res.writeHead(503).end();
		});
	});
	expect((await call(url, "PATCH", [PIECE])).status).toBe(503);
	expect(failures).toEqual(["unavailable"]);
});
