import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hubStatus } from "../../test/grids/grid-status.ts";
import { AllowedGrids } from "./allowed-grids.ts";
import { GridPoller } from "./poll.ts";

const status = Buffer.from(
	JSON.stringify(hubStatus([{ id: "n1", uri: "http://node-1:5555", slots: [{ id: "a" }, null] }])),
);

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** A grid that compresses every answer, whatever the request accepts. */
let answer: { encoding: string; body: Buffer | "announced" };
const server = createServer((_request, response) => {
	const headers = { "content-type": "application/json", "content-encoding": answer.encoding };
	if (answer.body === "announced") {
		response.writeHead(200, { ...headers, "content-length": 17 << 20 }).flushHeaders();
		return;
	}
	response.writeHead(200, headers);
	response.end(answer.body);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

/** @param body is announced, and never comes, if it is only that. */
async function poll(encoding: string, body: Buffer | "announced") {
	answer = { encoding, body };
	const poller = new GridPoller(
		{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
		AllowedGrids.all,
	);
	try {
		return (await poller.poll()).seen;
	} finally {
		poller.close();
	}
}

test.each([
	["gzip", zlib.gzipSync(status)],
	["x-gzip", zlib.gzipSync(status)],
	["GZIP", zlib.gzipSync(status)],
	["deflate", zlib.deflateSync(status)],
	["deflate", zlib.deflateRawSync(status)],
	["br", zlib.brotliCompressSync(status)],
	["zstd", zlib.zstdCompressSync(status)],
	["gzip, br", zlib.brotliCompressSync(zlib.gzipSync(status))],
	["identity", status],
	["identity, gzip", zlib.gzipSync(status)],
])("the sessions of a grid that answers with Content-Encoding %s are counted", async (encoding, body) => {
	expect(await poll(encoding, body)).toMatchObject({ kind: "count", active: 1, sessions: [{ id: "a" }] });
});

test("an answer that is not what it says, or compressed in an unknown way, is no zero, and says why", async () => {
	expect(await poll("gzip", status)).toEqual({ kind: "no_json", why: "the response is not valid gzip" });
	expect(await poll("gzip", zlib.gzipSync(status).subarray(0, 100))).toMatchObject({ kind: "no_json" });
	expect(await poll("constructor", status)).toMatchObject({ why: expect.stringContaining("constructor") });
	expect(await poll("gzip, gzip, gzip, gzip", status)).toMatchObject({ kind: "no_json" });
	expect((await poll("gzip", Buffer.alloc(0))).kind).toBe("no_json");
});

test("an answer that announces over 16 MiB is refused before any of it has come", async () => {
	expect(await poll("identity", "announced")).toEqual({
		kind: "no_json",
		why: "the response has more than 16777216 bytes",
	});
});

test("a decompression bomb is given up at 16 MiB, also one in another", async () => {
	const bomb = zlib.gzipSync(Buffer.alloc(256 << 20));
	const bombs = [
		["gzip", bomb],
		["gzip, gzip", zlib.gzipSync(bomb)],
		["deflate", zlib.deflateSync(Buffer.alloc(256 << 20))],
		["br", zlib.brotliCompressSync(Buffer.alloc(64 << 20), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
	] as const;
	// The memory used to make the bodies does not count.
	collectGarbage();
	const before = process.memoryUsage().arrayBuffers;
	for (const [encoding, body] of bombs) {
		expect(body.length).toBeLessThan(1 << 20);
		expect(await poll(encoding, body)).toEqual({ kind: "no_json", why: "the response has more than 16777216 bytes" });
	}
	expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(128 << 20);
});
