import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newTestResultSchema } from "@tapedeck/contract/test-result.ts";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createResults } from "#lib/test-results/create-results.ts";
import { onOneStorage } from "#test/each-storage.ts";
import { inExplore, variants } from "#test/in-explore.ts";
import { isRunning } from "#test/processes/child.ts";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { brighteningVideo, firstSecondsOf } from "#test/videos/brightening-video.ts";
import { colorsOf } from "#test/videos/colors.ts";
import { initOf, movedFragments } from "#test/videos/join-videos.ts";
import { framesOf, keptVideo, makeVideo, RECORDER, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { probeBytes } from "#test/videos/probe-bytes.ts";
import { resizedVideo } from "#test/videos/resized-video.ts";
import { deleteRecording } from "../deletion.ts";
import { encodeClip } from "./encode-clip.ts";
import { ExcerptFile } from "./excerpt-file.ts";

afterAll(removeTestFolder);
afterEach(() => vi.unstubAllEnvs());

const clipOf = (t: TestRecordings, id: number, query: string, headers: Record<string, string> = {}) =>
	t.call(`/v1/recordings/${id}/clip?${query}`, { as: "key", headers });

/** A recording of a runner: its whole video, or the beginning of one in progress. */
async function recorded(t: TestRecordings, video: Buffer, isLive = false): Promise<{ id: number; jobId: number }> {
	const jobId = await t.addJob(isLive ? "recording" : "uploading");
	await patch(t, await beginUpload(t, { jobId }), 0, video, isLive ? {} : { length: video.length });
	const row = (await t.recordings()).find((each) => each.jobId === jobId);
	return { id: row?.id ?? 0, jobId };
}

/** The positions of an MP4's top-level boxes. */
function boxesOf(bytes: Buffer): string[] {
	const types: string[] = [];
	for (let at = 0; at < bytes.length; ) {
		const size = bytes.readUInt32BE(at);
		types.push(bytes.toString("latin1", at + 4, at + 8));
		at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
	}
	return types;
}

/** @returns four seconds of pixels that no encoder makes small. */
async function noiseVideo(): Promise<Buffer> {
	const source = "color=gray:size=640x360:rate=15:duration=4,noise=c0s=100:c0f=t+u";
	return readFile(await keptVideo("noise.mp4", ["-f", "lavfi", "-i", source, ...RECORDER]));
}

onOneStorage((opened, kind) => {
	test("a clip that fits has the very frames of the recording, from the key frame before its beginning", async () => {
		const t = opened().recordings;
		const path = await makeVideo("recorder.mp4");
		const { id } = await recorded(t, await readFile(path));
		const { status, headers, body } = await clipOf(t, id, "from=2.5&to=3.5");
		expect([status, headers["content-type"], headers["tapedeck-clip"]]).toEqual([200, "video/mp4", "2.000-3.500"]);
		const { codec, pixelFormat, seconds, frames } = await probeBytes(body);
		expect([codec, pixelFormat]).toEqual(["h264", "yuv420p"]);
		expect(seconds).toBeCloseTo(1.5, 1);
		const all = (await framesOf(path)).map((line) => line.split(",").at(-1)?.trim());
		expect(frames).toEqual(all.slice(30, 30 + frames.length));
		// Faststart, without edits.
		expect(boxesOf(body)).toEqual(["ftyp", "moov", "mdat"]);
		expect(body.includes("elst", 0, "latin1")).toBe(false);
	});

	test("a clip across a change of size shows each moment at its time, in the size that it begins with", async () => {
		const t = opened().recordings;
		const { id } = await recorded(t, await resizedVideo());
		const { status, body } = await clipOf(t, id, "from=1&to=4&exact=1");
		expect(status).toBe(200);
		const { width, height, seconds } = await probeBytes(body);
		expect([width, height]).toEqual([160, 120]);
		expect(seconds).toBeCloseTo(3, 1);
		// A display that became narrower has black at its sides: 72 of 160 columns are white.
		const whiteness = (await colorsOf(body)).map(([red = 0]) => red / 255);
		const change = whiteness.findIndex((each) => each > 0.1);
		expect(change / whiteness.length).toBeCloseTo(1.5 / 3, 1);
		for (const each of whiteness.slice(change)) expect(each).toBeCloseTo(72 / 160, 1);
	});

	test("an exact clip begins at its moment, and a GIF or another size is encoded: it plays everywhere", async () => {
		const t = opened().recordings;
		const { id } = await recorded(t, await brighteningVideo("exact.mp4"));
		const exact = await clipOf(t, id, "from=3.1&to=5.1&exact=1");
		expect([exact.status, exact.headers["tapedeck-clip"]]).toEqual([200, "3.100-5.100"]);
		const video = await probeBytes(exact.body);
		expect([video.codec, video.profile, video.pixelFormat, video.width]).toEqual(["h264", "Main", "yuv420p", 320]);
		expect(video.seconds).toBeCloseTo(2, 1);
		expect(boxesOf(exact.body)).toEqual(["ftyp", "moov", "mdat"]);
		const path = join(await testFolder(), `exact-${kind}`);
		await writeFile(path, exact.body);
		expect(await firstSecondsOf(path, 1)).toEqual([3]);
		const small = await probeBytes((await clipOf(t, id, "from=3&to=5&size=100")).body);
		expect([small.width, small.height]).toEqual([100, 56]);
		const gif = await clipOf(t, id, "from=6&to=7&format=gif&size=64");
		expect([gif.headers["content-type"], gif.body.toString("latin1", 0, 6)]).toEqual(["image/gif", "GIF89a"]);
		const picture = await probeBytes(gif.body);
		expect([picture.codec, picture.width]).toEqual(["gif", 64]);
	});

	inExplore(test)("of a recording of two hours, bytes between the index and the range are not read", async () => {
		const { recordings: t, s3 } = opened();
		const four = await readFile(await makeVideo("recorder.mp4"));
		const parts = Array.from({ length: 1_800 }, (_, index) => movedFragments(four, index * 4, index * 10 + 1));
		const { id } = await recorded(t, Buffer.concat([initOf(four), ...parts.flat()]));
		const [row] = await t.recordings();
		expect(row?.durationSeconds).toBeCloseTo(7_200, 0);
		s3.calls.length = 0;
		const { status, headers, body } = await clipOf(t, id, "from=5000&to=5010");
		expect([status, headers["tapedeck-clip"]]).toEqual([200, "5000.000-5010.000"]);
		expect((await probeBytes(body)).seconds).toBeCloseTo(10, 1);
		if (kind !== "bucket") return;
		const ranges = s3.calls.flatMap(({ range }) => {
			const [, from, to] = /bytes=(\d+)-(\d+)/.exec(range ?? "") ?? [];
			return from === undefined ? [] : [{ from: Number(from), to: Number(to) }];
		});
		// The index is in the first tenth, the stretch behind two thirds; how far a read goes ahead depends on the time.
		const bytes = row?.bytes ?? 0;
		const between = ranges.filter(({ from, to }) => to > bytes * 0.4 && from < bytes * 0.65);
		expect([ranges.length > 0, between]).toEqual([true, []]);
	});

	inExplore(test)("a clip of a recording that is deleted while it waits is not found", async () => {
		const t = opened().recordings;
		const { id, jobId } = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
		await t.db.updateTable("job").set({ status: "completed" }).where("id", "=", jobId).execute();
		const ctx = t.as("key");
		const gate = Promise.withResolvers<void>();
		const here = new AbortController().signal;
		const held = ctx.excerpts.take(ctx, "long", here, () => gate.promise);
		const waiting = [clipOf(t, id, "from=1&to=2"), clipOf(t, id, "from=1&to=2&exact=1")];
		await deleteRecording(ctx, id);
		gate.resolve();
		await held;
		expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([404, 404]);
		expect((await clipOf(t, id, "from=1&to=2")).status).toBe(404);
	});
});

const LIMITS = [
	[900_000, "mp4"],
	[50_000, "mp4"],
	[200_000, "gif"],
] as const;
const UPLOADED = ["vp8.webm", "reordered.mp4", "edited.mp4", "plain.mp4", "sound.mp4"] as const;

describe("a clip", () => {
	let t: TestRecordings;
	beforeEach(async () => {
		t = await openTestRecordings();
	});
	afterEach(() => t.close());

	test("never exceeds maxBytes, however much has to be given up", async () => {
		const video = await noiseVideo();
		const { id } = await recorded(t, video);
		expect(video.length).toBeGreaterThan(1_000_000);
		for (const [maxBytes, format] of variants(LIMITS, ([maxBytes]) => maxBytes === 50_000)) {
			const { status, body } = await clipOf(t, id, `from=0&to=4&maxBytes=${maxBytes}&format=${format}`);
			expect(status).toBe(200);
			expect(body.length).toBeLessThanOrEqual(maxBytes);
			expect((await probeBytes(body)).frames.length).toBeGreaterThan(2);
		}
	});

	test("that does not fit into maxBytes is refused with what to send instead", async () => {
		const video = join(await testFolder(), "too-much.mp4");
		await writeFile(video, await noiseVideo());
		const file = await ExcerptFile.open(t.as("key"));
		const encoded = encodeClip({
			stretches: [{ input: { video, contentType: "video/mp4" }, from: 0 }],
			...{ seconds: 4, width: 640, height: 360, framesPerSecond: 15, format: "mp4", maxBytes: 1_000 },
			signal: new AbortController().signal,
			file,
		});
		await expect(encoded).rejects.toMatchObject({ code: "validation_failed", faults: [{ path: "maxBytes" }] });
		await file.handle.close();
	});

	test("of uploaded videos is encoded if they would not play everywhere, and is as long as was asked", async () => {
		for (const kind of variants(UPLOADED, (kind) => kind === "vp8.webm" || kind === "edited.mp4")) {
			const body = await readFile(await makeVideo(kind));
			const answer = await t.call("/v1/recordings?name=x", { method: "POST", as: "key", body });
			const clip = await clipOf(t, JSON.parse(answer.body.toString()).id, "from=1&to=3&exact=0");
			expect([kind, clip.status]).toEqual([kind, 200]);
			const { codec, pixelFormat, seconds } = await probeBytes(clip.body);
			expect([codec, pixelFormat]).toEqual(["h264", "yuv420p"]);
			const [from, to] = String(clip.headers["tapedeck-clip"]).split("-").map(Number);
			expect(from).toBeLessThanOrEqual(1);
			expect(to).toBe(3);
			expect(Math.abs(seconds - ((to ?? 0) - (from ?? 0)))).toBeLessThan(0.15);
		}
	});

	test("of a recording in progress is of what has arrived, and is never kept", async () => {
		const video = await readFile(await makeVideo("recorder.mp4"));
		const { id } = await recorded(t, video.subarray(0, Math.floor(video.length * 0.8)), true);
		const { status, headers, body } = await clipOf(t, id, "");
		expect([status, headers["cache-control"]]).toEqual([200, "private, no-store"]);
		const [from, to] = String(headers["tapedeck-clip"]).split("-").map(Number);
		expect(from).toBe(0);
		expect(to).toBeGreaterThan(2);
		expect(to).toBeLessThan(4);
		expect((await probeBytes(body)).seconds).toBeCloseTo(to ?? 0, 1);
		expect((await clipOf(t, id, "from=100&to=110")).status).toBe(422);
	});

	test("has an ETag that is answered with 304, and parts of it can be requested", async () => {
		const { id } = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
		const whole = await clipOf(t, id, "from=1&to=3");
		const again = await clipOf(t, id, "from=1&to=3", { "if-none-match": whole.headers.etag ?? "" });
		expect([again.status, again.body.length]).toEqual([304, 0]);
		expect((await clipOf(t, id, "from=1&to=3&exact=1", { "if-none-match": whole.headers.etag ?? "" })).status).toBe(
			200,
		);
		const part = await clipOf(t, id, "from=1&to=3", { range: "bytes=10-99" });
		expect([part.status, part.body]).toEqual([206, whole.body.subarray(10, 100)]);
	});

	test("is encoded once, however many readers it has and however slow they are, and no file of it has a name", async () => {
		const { id } = await recorded(t, await noiseVideo());
		const before = await t.files();
		const url = `http://127.0.0.1:${t.port}/v1/recordings/${id}/clip?from=0&to=4&exact=1&maxBytes=20000000`;
		// The second one reads the body later.
		const request = () => fetch(url, { headers: { "x-as": "key" } });
		const [first, slow] = await Promise.all([request(), request()]);
		expect(await t.files()).toEqual(before);
		vi.stubEnv("PATH", "/nowhere");
		const whole = Buffer.from(await first.arrayBuffer());
		const part = await clipOf(t, id, "from=0&to=4&exact=1&maxBytes=20000000", { range: "bytes=100000-199999" });
		expect([part.status, part.body.equals(whole.subarray(100_000, 200_000))]).toEqual([206, true]);
		expect(Buffer.from(await slow.arrayBuffer()).equals(whole)).toBe(true);
		expect((await clipOf(t, id, "from=0&to=3&exact=1")).status).not.toBe(200);
	});

	test("beside the run that passed shows both at the same step", async () => {
		const video = await brighteningVideo("both.mp4");
		const [passed, failed] = [await recorded(t, video), await recorded(t, video)];
		const at = (seconds: number) => new Date(1 + seconds * 1_000).toISOString();
		const result = (outcome: "passed" | "failed", payAt: number) =>
			newTestResultSchema.parse({
				...{ key: "pay", test: "pays", outcome, startedAt: at(0), endedAt: at(payAt + 1), message: "declined" },
				steps: [{ title: "Pay", startedAt: at(payAt), durationSeconds: 1, outcome }],
			});
		await createResults(t.as("owner"), passed.jobId, [result("passed", 5)]);
		await createResults(t.as("owner"), failed.jobId, [result("failed", 3)]);
		await t.db.updateTable("recording").set({ outcome: "passed" }).where("id", "=", passed.id).execute();
		const { status, headers, body } = await clipOf(t, failed.id, "from=3.1&to=5&against=last-passed");
		expect([status, headers["tapedeck-clip"]]).toEqual([200, "3.100-5.000"]);
		const path = join(await testFolder(), "beside.mp4");
		await writeFile(path, body);
		expect(await firstSecondsOf(path, 2)).toEqual([3, 5]);
		expect((await probeBytes(body)).width).toBe(640);
		// Around the failure at 4 s, without a stretch.
		expect((await clipOf(t, failed.id, "")).headers["tapedeck-clip"]).toBe("0.000-8.000");
		expect((await clipOf(t, passed.id, "against=last-passed")).status).toBe(404);
	});

	test("of another organization's recording is not found", async () => {
		const { id } = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
		expect((await t.call(`/v1/recordings/${id}/clip`, { as: "foreignKey" })).status).toBe(404);
	});

	inExplore(test)(
		"whose caller has gone is not made any longer: its ffmpeg ends, and the next one begins",
		async () => {
			const { id } = await recorded(t, await readFile(await makeVideo("recorder.mp4")));
			const bin = await mkdtemp(join(tmpdir(), "tapedeck-bin-"));
			// It may write no files.
			await writeFile(join(bin, "ffmpeg"), `#!/bin/sh\nmkdir ${bin}/pid-$$\nexec sleep 600\n`);
			await chmod(join(bin, "ffmpeg"), 0o755);
			vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
			const pids = async () => (await readdir(bin)).flatMap((name) => /^pid-(\d+)$/.exec(name)?.[1] ?? []);
			const gone = new AbortController();
			const url = `http://127.0.0.1:${t.port}/v1/recordings/${id}/clip?from=1&to=2&exact=1`;
			const calls = ["key", "otherKey", "otherKey"].map((as, index) =>
				fetch(`${url}&size=${100 + index}`, { headers: { "x-as": as }, signal: gone.signal }),
			);
			await expect.poll(async () => (await pids()).length).toBe(2);
			gone.abort();
			for (const call of calls) await expect(call).rejects.toThrow();
			for (const pid of await pids()) {
				await expect.poll(() => isRunning(Number(pid))).toBe(false);
			}
			vi.unstubAllEnvs();
			expect((await clipOf(t, id, "from=1&to=2&exact=1")).status).toBe(200);
			expect((await pids()).length).toBe(2);
			await rm(bin, { recursive: true });
		},
	);
});
