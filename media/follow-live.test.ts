import { type FileHandle, open, readFile } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { makeVideo, removeTestFolder, testFolder } from "../test/videos/make-video.ts";
import { followLive } from "./follow-live.ts";
import { GrowingVideo } from "./growing-video.ts";
import { findBox } from "./mp4-boxes.ts";
import { Mp4Index } from "./mp4-index.ts";
import { parseMovie, removeShownSizes } from "./mp4-movie.ts";

afterAll(removeTestFolder);

let source: Buffer;
/** The header as it is sent. */
let init: Buffer;
let known: Mp4Index;
let handle: FileHandle;
let video: GrowingVideo;
let written = 0;
let watchers = 0;
let port = 0;
const server = createServer(async (req, res) => {
	watchers += 1;
	const asked = new URL(req.url ?? "", "http://localhost").searchParams.get("from") ?? "now";
	const from = asked === "start" || asked === "now" ? asked : Number(asked);
	if (!(await followLive(req, res, video, { from }))) res.writeHead(404).end();
	watchers -= 1;
});

beforeAll(async () => {
	source = await readFile(await makeVideo("recorder.mp4"));
	known = new Mp4Index();
	const whole = await open(await makeVideo("recorder.mp4"));
	await known.update(whole, source.length);
	await whole.close();
	init = Buffer.from(source.subarray(0, known.initBytes));
	removeShownSizes(init);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});
let count = 0;
beforeEach(async () => {
	count += 1;
	const path = join(await testFolder(), `live-${count}.mp4`);
	handle = await open(path, "w+");
	video = new GrowingVideo(path);
	written = 0;
});
afterEach(() => handle.close());

async function writeTo(size: number): Promise<void> {
	await handle.write(source, written, size - written, written);
	written = size;
	await video.grew(handle, size);
}

const watch = (path = "/") =>
	new Promise<{ res: IncomingMessage; received: () => Buffer; ended: Promise<void> }>((resolve, reject) => {
		get({ port, host: "127.0.0.1", path, agent: false }, (res) => {
			const chunks: Buffer[] = [];
			res.on("data", (chunk) => chunks.push(chunk));
			const ended = new Promise<void>((done) => res.on("close", done));
			resolve({ res, received: () => Buffer.concat(chunks), ended });
		}).on("error", reject);
	});
test("a viewer gets the init segment, then every fragment as soon as it is complete, then the end", async () => {
	const first = known.keyframeOffsets.at(1) as number;
	const watching = watch("/?from=start");
	await writeTo(known.initBytes - 1);
	await writeTo(first - 1);
	const { res, received, ended } = await watching;
	expect(res.headers["content-type"]).toBe(`video/mp4; codecs="${known.codec}"`);
	await writeTo(first);
	await expect.poll(() => received().length).toBe(first);
	await writeTo(source.length - 30);
	await expect.poll(() => received().length).toBe(video.index.completeBytes);
	await writeTo(source.length);
	video.finish();
	await ended;
	expect(res.complete).toBe(true);
	const expected = [init, source.subarray(known.initBytes, known.completeBytes)];
	expect(received().equals(Buffer.concat(expected))).toBe(true);
});

test("a late viewer starts at the last fragment with a keyframe", async () => {
	const second = known.keyframeOffsets.at(1) as number;
	await writeTo(known.completeBytes - 1);
	const { received, ended } = await watch();
	video.finish();
	await ended;
	const expected = [init, source.subarray(second, video.index.completeBytes)];
	expect(received().equals(Buffer.concat(expected))).toBe(true);
});

test("a viewer who seeks back starts at the last keyframe before the requested second", async () => {
	await writeTo(known.completeBytes);
	video.finish();
	const [first, second] = [known.keyframeOffsets.at(0) as number, known.keyframeOffsets.at(1) as number];
	const seconds = known.keyframeSeconds.at(1) as number;
	for (const [from, offset] of [
		[0, first],
		[seconds - 0.01, first],
		[seconds, second],
		[seconds + 0.5, second],
		[1_000, known.keyframeOffsets.at(-1) as number],
	] as const) {
		const { received, ended } = await watch(`/?from=${from}`);
		await ended;
		const expected = [init, source.subarray(offset, known.completeBytes)];
		expect(received().equals(Buffer.concat(expected))).toBe(true);
	}
});

test("a video that ends without an init segment answers 404, and waiting viewers are released", async () => {
	await writeTo(20);
	const watching = watch();
	await expect.poll(() => watchers).toBe(1);
	video.finish();
	expect((await watching).res.statusCode).toBe(404);
});

test("a viewer who disconnects is released at once, both before the start and in the middle", async () => {
	const early = get({ port, host: "127.0.0.1", agent: false }).on("error", () => {});
	await expect.poll(() => video.watched).toBe(true);
	early.destroy();
	await expect.poll(() => [video.watched, watchers]).toEqual([false, 0]);
	await writeTo(known.completeBytes);
	const { res, received } = await watch();
	await expect.poll(() => received().length).toBeGreaterThan(known.initBytes);
	res.destroy();
	await expect.poll(() => [video.watched, watchers]).toEqual([false, 0]);
});

test("the sizes of tracks are left out of the initialization segment alone, and the codec and its size are not", async () => {
	const moov = (bytes: Buffer) => {
		const box = findBox(bytes, 0, bytes.length, "moov");
		if (box === null) throw new Error("There is no moov.");
		return parseMovie(bytes, box);
	};
	const [ours, theirs] = [moov(init), moov(source.subarray(0, known.initBytes))];
	expect(ours.tracks[0]?.parts.tkhd.subarray(-8)).toEqual(Buffer.alloc(8));
	expect(theirs.tracks[0]?.parts.tkhd.subarray(-8)).not.toEqual(Buffer.alloc(8));
	const { codec, width, height } = theirs.tracks[0] ?? {};
	expect(ours.tracks[0]).toMatchObject({ codec, width, height });
	expect(init.length).toBe(known.initBytes);
});
