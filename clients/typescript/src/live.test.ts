/** Events and downloads, from a real dashboard through connections that break. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { inExplore } from "../../../test/in-explore.ts";
import { startChild } from "../../../test/processes/child.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { decodePicture } from "../../../test/videos/decode-picture.ts";
import { makeVideo, removeTestFolder } from "../../../test/videos/make-video.ts";
import { probeBytes } from "../../../test/videos/probe-bytes.ts";
import { type LiveEvent, Tapedeck, TapedeckError } from "./index.ts";

let api: TestApi;
let client: Tapedeck;
let runnerId: number;
beforeAll(async () => {
	api = await startTestApi();
	client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	({ runnerId } = await api.signIn());
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});

const proxied = async () => {
	const proxy = await startTcpProxy(api.url);
	onTestFinished(() => proxy.stop());
	return { proxy, client: new Tapedeck({ url: proxy.url, apiKey: TEST_API_KEY }) };
};

/** Reads until an event of the type. */
async function next(events: AsyncGenerator<LiveEvent>, type: LiveEvent["type"]): Promise<LiveEvent> {
	for (;;) {
		const { value, done } = await events.next();
		if (done) throw new Error("the events ended");
		if (value.type === type) return value;
	}
}

const createJob = (name: string) =>
	client.jobs.create({ runnerId, displayId: ":99", name, stopCondition: "interrupt" });

inExplore(test)("events go on after a broken connection, and every connection begins with resync", async () => {
	const { proxy, client } = await proxied();
	const events = client.events();
	expect(await next(events, "resync")).toEqual({ type: "resync", data: {} });
	const first = await createJob("Zürich, Größe & 東京");
	expect(await next(events, "job")).toEqual({ type: "job", data: first });
	proxy.reset();
	expect(await next(events, "resync")).toEqual({ type: "resync", data: {} });
	const second = await createJob("after the break");
	expect(await next(events, "job")).toEqual({ type: "job", data: second });
	await events.return();
});

test("events end with the reason of their signal, and with an error when the key is refused", async () => {
	const controller = new AbortController();
	const events = client.events({ signal: controller.signal });
	await next(events, "resync");
	const waiting = next(events, "storage");
	const reason = new Error("enough");
	controller.abort(reason);
	await expect(waiting).rejects.toBe(reason);

	const stranger = new Tapedeck({ url: api.url, apiKey: "tdk_unknown" });
	await expect(next(stranger.events(), "resync")).rejects.toMatchObject({ status: 401, code: "unauthorized" });
});

test("a download goes on where its connection broke, and is the stored file byte by byte", async () => {
	const video = await readFile(await makeVideo("recorder.mp4", 20));
	const path = "/v1/recordings?name=Large";
	const { body: recording } = await api.call("POST", path, { raw: video, headers: { "content-type": "video/mp4" } });
	const whole = Buffer.from(await (await fetch(recording.videoUrl, authorized)).arrayBuffer());

	const { url, ranges } = await startCuttingProxy(2);
	const client = new Tapedeck({ url, apiKey: TEST_API_KEY });
	const progress: number[] = [];
	const download = await client.recordings.download(recording.id, {
		onProgress: (bytes, total) => {
			expect(total).toBe(whole.length);
			progress.push(bytes);
		},
	});
	expect(download).toMatchObject({ bytes: whole.length, contentType: "video/mp4" });
	const chunks: Uint8Array[] = [];
	for await (const chunk of download.body) chunks.push(chunk);
	expect(Buffer.concat(chunks).equals(whole)).toBe(true);
	const half = Math.floor(whole.length / 2);
	expect(ranges).toEqual([undefined, `bytes=${half}-`, `bytes=${half + Math.floor((whole.length - half) / 2)}-`]);
	expect(progress.at(-1)).toBe(whole.length);
});

test("a clip says which seconds it has, a frame has the video's own size by default, and a digest is Markdown", async () => {
	const raw = await readFile(await makeVideo("recorder.mp4", 20));
	const headers = { "content-type": "video/mp4" };
	const { body: recording } = await api.call("POST", "/v1/recordings?name=Clips", { raw, headers });
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const { bytes, ...clip } = await client.recordings.clip(recording.id, { from: 4.5, to: 6 });
	expect(clip).toEqual({ contentType: "video/mp4", from: 4, to: 6 });
	expect(await probeBytes(Buffer.from(bytes))).toMatchObject({ codec: "h264", width: 160, height: 120 });
	const frame = Buffer.from(await client.recordings.frame(recording.id, 5));
	expect(await decodePicture(frame)).toMatchObject({ width: 160, height: 120 });
	expect(
		await decodePicture(Buffer.from(await client.recordings.frame(recording.id, "failure", { width: 80 }))),
	).toMatchObject({ width: 80 });
	expect(await client.recordings.digest(recording.id, { maxTokens: 300 })).toMatch(/^# Clips: no result\n/);
	expect(
		(await decodePicture(Buffer.from(await client.recordings.sheet(recording.id, { frames: 2 })))).width,
		// The width of two frames of the video.
	).toBe(2 * (160 + 4));
	await expect(client.recordings.clip(recording.id, { from: 6, to: 5 })).rejects.toMatchObject({
		code: "validation_failed",
		status: 422,
	});
});

/** Forwards calls, and cuts the connection in the middle of the first bodies. */
async function startCuttingProxy(cuts: number) {
	const ranges: (string | undefined)[] = [];
	const server = createServer(async (req, res) => {
		ranges.push(req.headers.range);
		const answer = await fetch(api.url + req.url, { headers: req.headers as Record<string, string> });
		const body = Buffer.from(await answer.arrayBuffer());
		res.writeHead(answer.status, Object.fromEntries(answer.headers));
		if (ranges.length > cuts) return void res.end(body);
		res.write(body.subarray(0, body.length / 2), () => res.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges };
}

const authorized = { headers: { authorization: `Bearer ${TEST_API_KEY}` } };

test("a recording that does not begin is an error, and its job is cancelled", async () => {
	const failure = await client
		.record({ runnerId, displayId: ":99", name: "Nobody records this", startTimeoutSeconds: 0 })
		.catch((error) => error);
	expect(failure).toBeInstanceOf(TapedeckError);
	expect(failure).toMatchObject({
		code: "not_started",
		message: expect.stringContaining("is still queued after 0 s."),
	});
	const [job] = await client.jobs.list({ q: "Nobody records this" }).toArray();
	expect(job).toMatchObject({ status: "cancelled" });
});

test("a signal that ends the wait for the first frame cancels the job", async () => {
	const controller = new AbortController();
	const name = "Nobody waits for this";
	const starting = client
		.record({ runnerId, displayId: ":99", name, signal: controller.signal })
		.catch((error) => error);
	const job = await vi.waitUntil(async () => (await client.jobs.list({ q: name }).page()).data[0], { timeout: 30_000 });
	const reason = new Error("enough");
	controller.abort(reason);
	expect(await starting).toBe(reason);
	expect(await client.jobs.get(job.id)).toMatchObject({ status: "cancelled" });
});

inExplore(test)(
	"the job of a script that is killed before the first frame is withdrawn, and one that handles the signal ends as it likes",
	async () => {
		const source = new URL("index.ts", import.meta.url).href;
		const script = (name: string) => `
		import { Tapedeck } from "${source}";
		process.on("SIGTERM", () => process.exit(9));
		const call = (input, init) => {
			// It waits for the first frame.
			if (String(input).includes("waitFor")) console.log("It waits.");
			return fetch(input, init);
		};
		await new Tapedeck({ fetch: call }).record({ runnerId: ${runnerId}, displayId: ":99", name: "${name}" });
	`;
		for (const [signal, status] of [
			["SIGKILL", "SIGKILL"],
			["SIGTERM", 9],
		] as const) {
			const name = `Nobody waits after ${signal}`;
			const env = { ...process.env, TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
			const child = startChild(process.execPath, ["--input-type=module", "--eval", script(name)], { env });
			await child.says("It waits.");
			const [job] = await client.jobs.list({ q: name }).toArray();
			child.process.kill(signal);
			expect(await child.exited).toBe(status);
			expect(await client.jobs.wait(job?.id ?? 0, "ended", { timeoutSeconds: 30 })).toMatchObject({
				status: "cancelled",
				outcome: null,
			});
		}
	},
);
