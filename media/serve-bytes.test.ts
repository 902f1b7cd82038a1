import { open, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeTestFolder, testFolder } from "../test/videos/make-video.ts";
import { attachmentHeader, safeFileName } from "./content-disposition.ts";
import { matchesEtag, rangeAnswer } from "./http-range.ts";
import { serveBytes } from "./serve-bytes.ts";

afterAll(removeTestFolder);

const HEAD = Buffer.from("head of the file, made up:");
const ETAG = '"a-1"';
const file = Buffer.alloc(3_000_000);
for (let at = 0; at < file.length; at += 4) file.writeUInt32LE(at, at);
const whole = Buffer.concat([HEAD, file]);
/** Number of file handles open now. */
let openHandles = 0;

const server = createServer(async (req, res) => {
	const handle = await open(join(await testFolder(), "served.bin"));
	openHandles += 1;
	const { close } = handle;
	handle.close = () => {
		openHandles -= 1;
		return close.call(handle);
	};
	await serveBytes(
		req,
		res,
		{ head: HEAD, fileBytes: req.url === "/short" ? file.length + 10 : file.length, handle },
		{ etag: ETAG, contentType: "video/mp4", fileName: 'ä"b.mp4', download: true },
	);
});
let port = 0;

beforeAll(async () => {
	await writeFile(join(await testFolder(), "served.bin"), file);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

function get(headers: Record<string, string> = {}, method = "GET", path = "/") {
	return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
		request({ port, host: "127.0.0.1", path, method, headers, agent: false }, (res) => {
			const chunks: Buffer[] = [];
			res.on("data", (chunk) => chunks.push(chunk));
			res.on("error", reject);
			res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
		})
			.on("error", reject)
			.end();
	});
}

test("a full response has length, type, ETag and Accept-Ranges", async () => {
	const answer = await get();
	expect(answer.status).toBe(200);
	expect(answer.body.equals(whole)).toBe(true);
	expect(answer.headers).toMatchObject({
		"content-length": String(whole.length),
		"content-type": "video/mp4",
		"accept-ranges": "bytes",
		"x-content-type-options": "nosniff",
		"cache-control": "private, no-cache",
		etag: ETAG,
		"content-disposition": "attachment; filename=\"a_b.mp4\"; filename*=UTF-8''%C3%A4%22b.mp4",
	});
});

test("HEAD answers like GET, without the body", async () => {
	const answer = await get({ range: "bytes=0-9" }, "HEAD");
	expect([answer.status, answer.body.length]).toEqual([200, 0]);
	expect(answer.headers["content-length"]).toBe(String(whole.length));
});

test("a range gets exactly its bytes, in the head, in the file and across both", async () => {
	const { length } = whole;
	const ranges: [string, number, number][] = [
		["bytes=0-0", 0, 1],
		["bytes=5-9", 5, 10],
		["bytes=20-40", 20, 41],
		["bytes=26-26", 26, 27],
		["bytes=1000-", 1_000, length],
		[`bytes=${length - 1}-`, length - 1, length],
		["bytes=-1", length - 1, length],
		["bytes=-2000000", length - 2_000_000, length],
		[`bytes=-${length + 5}`, 0, length],
		[`bytes=0-${length + 100}`, 0, length],
		["Bytes = 1 - 2", 1, 3],
	];
	for (const [range, start, end] of ranges) {
		const answer = await get({ range });
		expect([range, answer.status]).toEqual([range, 206]);
		expect(answer.headers["content-range"]).toBe(`bytes ${start}-${end - 1}/${length}`);
		expect(answer.body.equals(whole.subarray(start, end))).toBe(true);
	}
});

test("an unsatisfiable range gets 416 with the length; malformed, multiple and other-unit ranges get the whole", async () => {
	for (const range of [`bytes=${whole.length}-`, "bytes=99999999999999999999-", "bytes=-0"]) {
		const answer = await get({ range });
		expect([range, answer.status, answer.headers["content-range"]]).toEqual([range, 416, `bytes */${whole.length}`]);
		expect(answer.body.length).toBe(0);
	}
	for (const range of ["bytes=5-2", "bytes=0-1,3-4", "lines=1-2", "bytes=a-b", "bytes=", "bytes=-", "bytes=1"]) {
		expect([range, (await get({ range })).status]).toEqual([range, 200]);
	}
});

test("If-None-Match answers 304, and If-Range permits a range only for exactly the same ETag", async () => {
	for (const tag of [ETAG, `"x", W/${ETAG}`, "*"]) {
		const answer = await get({ "if-none-match": tag });
		expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, ETAG]);
	}
	expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
	expect((await get({ range: "bytes=0-1", "if-range": ETAG })).status).toBe(206);
	for (const tag of ['"other"', `W/${ETAG}`, "Sat, 21 Nov 2026 00:00:00 GMT"]) {
		expect((await get({ range: "bytes=0-1", "if-range": tag })).status).toBe(200);
	}
});

test("any range gets exactly the bytes it names", () => {
	const number = fc.nat({ max: 300 });
	fc.assert(
		fc.property(number, number, fc.nat({ max: 200 }), (first, last, length) => {
			const answer = rangeAnswer(`bytes=${first}-${last}`, length);
			if (last < first) expect(answer.kind).toBe("whole");
			else if (first >= length) expect(answer.kind).toBe("unsatisfiable");
			else expect(answer).toEqual({ kind: "part", start: first, end: Math.min(length, last + 1) });
		}),
	);
	expect(matchesEtag('W/"a" , "b"', '"b"')).toBe(true);
	expect(matchesEtag("b", '"b"')).toBe(false);
});

test("a file shorter than announced breaks the connection instead of looking complete", async () => {
	await expect(get({}, "GET", "/short")).rejects.toThrow();
	await expect.poll(() => openHandles).toBe(0);
});

test("clients that disconnect midway leave no file open", async () => {
	for (let round = 0; round < 5; round += 1) {
		await new Promise<void>((resolve) => {
			const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
			socket.once("data", () => socket.destroy());
			socket.once("close", () => resolve());
		});
	}
	await expect.poll(() => openHandles).toBe(0);
});

test("a slow client slows down reading instead of filling memory", async () => {
	const socket = connect(port, "127.0.0.1");
	socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	await new Promise((resolve) => socket.once("readable", resolve));
	expect(openHandles).toBe(1);
	const chunks: Buffer[] = [];
	for await (const chunk of socket) chunks.push(chunk as Buffer);
	const answer = Buffer.concat(chunks);
	expect(answer.subarray(answer.indexOf("\r\n\r\n") + 4).equals(whole)).toBe(true);
	await expect.poll(() => openHandles).toBe(0);
	expect((await readFile(join(await testFolder(), "served.bin"))).length).toBe(file.length);
});

test("download names lose unsafe characters and otherwise stay as given", () => {
	expect(safeFileName("Login fails 🔥 é", "mp4")).toBe("Login fails 🔥 é.mp4");
	expect(safeFileName("../../etc/passwd", "mp4")).toBe("_.._etc_passwd.mp4");
	expect(safeFileName("a\r\nSet-Cookie: x", "mp4")).toBe("a Set-Cookie_ x.mp4");
	expect(safeFileName("con", "webm")).toBe("recording con.webm");
	expect(safeFileName("--rf .-con", "mp4")).toBe("rf .-con.mp4");
	expect(safeFileName("-con", "mp4", "_7")).toBe("recording con_7.mp4");
	expect(safeFileName("--", "mp4", "_7")).toBe("recording_7.mp4");
	expect(safeFileName(" .. ", "mp4")).toBe("recording.mp4");
	expect(safeFileName("e".repeat(500), "mp4").length).toBe(154);
	expect(safeFileName("録".repeat(500), "mp4", "_7")).toBe(`${"録".repeat(66)}_7.mp4`);
	expect(attachmentHeader("録画.mp4", false)).toBe(
		"inline; filename=\"recording.mp4\"; filename*=UTF-8''%E9%8C%B2%E7%94%BB.mp4",
	);
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), (name) => {
			expect(safeFileName(name, "mp4")).not.toMatch(/^-/);
			expect(attachmentHeader(safeFileName(name, "mp4"), true)).toMatch(
				/^attachment; filename="[\x20-\x21\x23-\x7e]+"; filename\*=UTF-8''[\w.~%!$&+^`|-]+$/,
			);
		}),
	);
});
