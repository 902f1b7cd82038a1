/** Files of attempts, as a dashboard receives them. */
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { SecretMask, Tapedeck } from "../../typescript/src/index.ts";
import type { AttemptFile } from "./attempt-files.ts";
import { Uploads } from "./uploads.ts";

let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("uploads");
});

interface Received {
	path: string;
	type: string;
	length: string;
	body: string;
}

/** @param answer when to answer a file, and how. */
async function receiving(answer: (received: Received, res: ServerResponse) => unknown) {
	const received: Received[] = [];
	const server = createServer(async (req: IncomingMessage, res) => {
		const body = (await buffer(req)).toString();
		const { "content-type": type = "", "content-length": length = "" } = req.headers;
		const file = { path: req.url ?? "", type, length, body };
		received.push(file);
		await answer(file, res);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.closeAllConnections());
	onTestFinished(() => void server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const client = new Tapedeck({ url, apiKey: "tdk_test", retries: 1 });
	const stored = async (key: string) => (key === "refused" ? null : { id: Number(key), testId: 1 });
	return { received, uploads: new Uploads(client, new SecretMask({ SHOP_TOKEN: "s3cr3t-of-shop" }), stored) };
}

const created = (_file: Received, res: ServerResponse) =>
	res.writeHead(201, { "content-type": "application/json" }).end("{}");
const file = (name: string, more: Partial<AttemptFile> = {}): AttemptFile => ({
	...{ name, contentType: "application/zip", body: Buffer.from(`body of ${name}`), videoStart: null },
	...more,
});

test("files arrive at their result with name, type and length, texts without secrets, and the video as its recording", async () => {
	const { received, uploads } = await receiving(created);
	const trace = join(folder, "trace.zip");
	await writeFile(trace, "PK s3cr3t-of-shop");
	const log = join(folder, "log.txt");
	await writeFile(log, "paid with s3cr3t-of-shop\nCookie: a=b");
	const videoStart = new Date("2026-11-21T01:12:00.500Z");
	uploads.add("7", "shop.spec.ts › pays s3cr3t-of-shop", true, [
		file("trace.zip", { path: trace, body: undefined }),
		file("s3cr3t-of-shop.txt", { path: log, body: undefined, contentType: "text/plain" }),
		file("cart.json", { body: Buffer.from('{"token":"s3cr3t-of-shop"}'), contentType: "application/json" }),
		file("video.webm", { contentType: "video/webm", videoStart }),
		file("gone.zip", { path: join(folder, "gone.zip"), body: undefined }),
		file("gone.txt", { path: join(folder, "gone.txt"), body: undefined, contentType: "text/plain" }),
	]);
	expect(await uploads.finish(60_000)).toBeNull();
	const lines = received.map(({ path, type, length, body }) => `${path} ${type} ${length} ${body}`);
	const video = new URLSearchParams({
		...{ name: "shop.spec.ts › pays ***", testResultId: "7", startedAt: videoStart.toISOString() },
	});
	expect(lines.sort()).toEqual([
		`/v1/recordings?${video} video/webm 18 body of video.webm`,
		"/v1/tests/7/attachments?name=***.txt text/plain 25 paid with ***\nCookie: ***",
		'/v1/tests/7/attachments?name=cart.json application/json 15 {"token":"***"}',
		"/v1/tests/7/attachments?name=trace.zip application/zip 17 PK s3cr3t-of-shop",
	]);
});

test("two files are sent at a time, and those of failed attempts before others", async () => {
	const open: (() => void)[] = [];
	let arrived = Promise.withResolvers<void>();
	const { received, uploads } = await receiving(async (_file, res) => {
		await new Promise<void>((resolve) => {
			open.push(resolve);
			if (open.length === 2) arrived.resolve();
		});
		created(_file, res);
	});
	uploads.add("1", "passed", false, [file("a"), file("b"), file("c")]);
	uploads.add("2", "failed", true, [file("d"), file("e")]);
	const finished = uploads.finish(60_000);
	for (const names of [
		["a", "b"],
		["d", "e"],
	]) {
		await arrived.promise;
		expect(
			received
				.splice(0)
				.map(({ path }) => path.at(-1))
				.sort(),
		).toEqual(names);
		arrived = Promise.withResolvers();
		for (const answer of open.splice(0)) answer();
	}
	await expect.poll(() => open.length).toBe(1);
	expect(received.map(({ path }) => path.at(-1))).toEqual(["c"]);
	open[0]?.();
	expect(await finished).toBeNull();
});

test("files that are refused, too large or without a result are named in one sentence, and keep no other away", async () => {
	const detail = "This result has 20 attachments, which is the most that one can have.";
	const { received, uploads } = await receiving((received, res) => {
		if (!received.path.includes("=no")) return created(received, res);
		res.writeHead(409, { "content-type": "application/problem+json" });
		return res.end(JSON.stringify({ code: "conflict", detail }));
	});
	uploads.add("1", "cart", true, [file("no"), file("yes")]);
	uploads.add(
		"refused",
		"lost",
		false,
		[1, 2, 3, 4, 5, 6].map((number) => file(`f${number}`)),
	);
	const sentence = await uploads.finish(60_000);
	expect(sentence).toMatch(/^Not uploaded: (.+ of (cart|lost), ){4}.+ and 2 more files: /);
	expect(received.map(({ path }) => path)).toContain("/v1/tests/1/attachments?name=yes");
	const large = await receiving(created);
	large.uploads.add("1", "cart", true, [
		file("big.txt", { contentType: "text/plain", body: Buffer.alloc(8 * 2 ** 20 + 1) }),
	]);
	expect(await large.uploads.finish(60_000)).toBe(
		"Not uploaded: big.txt of cart: big.txt has more than 8 MiB of text.",
	);
	expect(large.received).toEqual([]);
});

test("a dashboard that does not answer holds the end back no longer than allowed", async () => {
	const { uploads } = await receiving(() => {});
	uploads.add("1", "cart", true, [file("a"), file("b"), file("c")]);
	expect(await uploads.finish(50)).toBe(
		"Not uploaded: a of cart, b of cart, c of cart: there was no time left after 0.05 s.",
	);
});
