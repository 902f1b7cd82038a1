/** Recordings in a bucket: in stretches while they are recorded, as one object afterwards, and whatever goes wrong. */

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UPLOAD_WAITING } from "@tapedeck/contract/recording-kinds.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { Bucket } from "#lib/s3/bucket.ts";
import { inExplore } from "#test/in-explore.ts";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { beginUpload, patch, TUS } from "#test/tus-client.ts";
import { makeLargeVideo } from "#test/videos/large-video.ts";
import { framesOf, makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { sweepUploads } from "../upload/sweep-uploads.ts";
import { sweepObjects } from "./object-ledger.ts";
import { SEGMENT_BYTES } from "./video-store.ts";

const HOUR_MS = 3_600_000;
const PIECE_BYTES = 4 * 2 ** 20;

let s3: FakeS3;
let bucket: Bucket;
let t: TestRecordings;
/** Larger than two segments. */
let video: Buffer;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
	setFakeCredentials();
	if (video === undefined) video = await makeLargeVideo("recorder.mp4");
	s3 = await startFakeS3();
	bucket = await Bucket.open(s3.location);
	t = await openTestRecordings({ storage: { bucket, storesInBucket: true } });
});
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
	await t.close();
	bucket.close();
	await s3.stop();
});
afterAll(removeTestFolder);

/** Another process, with a disk of its own. */
async function anotherNode(): Promise<TestRecordings> {
	const node = await openTestRecordings({ storage: { bucket, storesInBucket: true }, beside: t });
	closing.push(() => node.close());
	return node;
}

const begin = async (node = t) => beginUpload(node, { jobId: await t.addJob("uploading"), name: "Large" });
const offsetAt = async (node: TestRecordings, path: string) =>
	Number((await node.call(path, { method: "HEAD", headers: TUS })).headers["upload-offset"]);
const only = async () => (await t.recordings())[0] as Awaited<ReturnType<typeof t.recordings>>[number];
const segments = () => t.db.selectFrom("videoSegment").selectAll().orderBy("number").execute();

async function send(node: TestRecordings, path: string, from: number, to: number): Promise<void> {
	for (let at = from; at < to; at += PIECE_BYTES) {
		const answer = await patch(node, path, at, video.subarray(at, Math.min(to, at + PIECE_BYTES)));
		expect(answer.status, answer.body.toString()).toBe(204);
	}
}

/** Ends the recording as a lost job does. @param bytes until they are in the row, which says `live` again whenever it grows. */
async function interrupt(bytes: number): Promise<void> {
	await expect.poll(async () => (await only()).bytes).toBe(bytes);
	await t.db.updateTable("recording").set({ state: "partial" }).execute();
}

const finish = (node: TestRecordings, path: string) =>
	patch(node, path, video.length, Buffer.alloc(0), { length: video.length });

async function sweep(): Promise<void> {
	await sweepObjects(t.as("key"), bucket, new AbortController().signal);
}

/** @returns what plays: a header and the very bytes that were recorded. */
async function assertPlays(node = t): Promise<Buffer> {
	const row = await only();
	expect(row.state).toBe("ready");
	const played = await node.call(`/v1/recordings/${row.id}/video`, { as: "key" });
	expect(played.body.length).toBe(row.downloadBytes);
	const head = row.objectHeaderBytes ?? 0;
	expect(played.body.subarray(head).equals(video.subarray(0, played.body.length - head))).toBe(true);
	return played.body;
}

/** Nothing is left of the recording but its object, and nothing of it on the disk. */
async function assertNothingElse(): Promise<void> {
	await sweep();
	expect([...s3.objects.keys()]).toEqual([`tapedeck/${(await only()).objectKey}`]);
	expect(s3.openParts).toBe(0);
	expect(await segments()).toEqual([]);
	expect(await t.files()).toEqual([]);
}

test("finished stretches go to the bucket while it is recorded, and the video is composed of them", async () => {
	expect(video.length).toBeGreaterThan(2 * SEGMENT_BYTES);
	const path = await begin();
	await send(t, path, 0, video.length);
	const whole = Math.floor(video.length / SEGMENT_BYTES);
	await expect.poll(segments).toHaveLength(whole);
	const sent = await segments();
	for (const [index, { objectKey }] of sent.entries()) {
		const bytes = s3.objects.get(`tapedeck/${objectKey}`) as Buffer;
		expect(bytes.equals(video.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES))).toBe(true);
	}
	s3.calls.length = 0;
	expect((await finish(t, path)).status).toBe(204);
	// The first segment goes with the header.
	const { downloadBytes, objectHeaderBytes } = await only();
	const played = (downloadBytes as number) - (objectHeaderBytes as number);
	expect(s3.calls.filter(({ kind }) => kind === "copy")).toHaveLength(Math.floor(played / SEGMENT_BYTES) - 1);
	const file = join(t.videosDir, "played.mp4");
	await writeFile(file, await assertPlays());
	expect(await framesOf(file)).toEqual(await framesOf(await makeVideo("recorder.mp4")));
	await rm(file);
	await assertNothingElse();
});

test("another process takes over what is durable, and the runner sends the rest", async () => {
	const path = await begin();
	await send(t, path, 0, SEGMENT_BYTES + PIECE_BYTES);
	await expect.poll(segments).toHaveLength(1);
	const other = await anotherNode();
	expect(await offsetAt(other, path)).toBe(SEGMENT_BYTES);
	await send(other, path, SEGMENT_BYTES, video.length);
	expect((await finish(other, path)).status).toBe(204);
	await assertPlays(t);
	await assertPlays(other);
	// The first one's file is of no use to anyone.
	expect(await offsetAt(t, path)).toBe(video.length);
	await assertNothingElse();
});

inExplore(test)("an upload of which nothing is durable begins again at another process", async () => {
	const path = await begin();
	await send(t, path, 0, PIECE_BYTES);
	const other = await anotherNode();
	expect(await offsetAt(other, path)).toBe(0);
	await send(other, path, 0, video.length);
	expect((await finish(other, path)).status).toBe(204);
	await assertPlays();
});

inExplore(test)("a process that lost the upload goes on from what is durable by now", async () => {
	const path = await begin();
	await send(t, path, 0, SEGMENT_BYTES + PIECE_BYTES);
	await expect.poll(segments).toHaveLength(1);
	const other = await anotherNode();
	await send(other, path, await offsetAt(other, path), 2 * SEGMENT_BYTES + PIECE_BYTES);
	await expect.poll(segments).toHaveLength(2);
	const late = await patch(t, path, SEGMENT_BYTES + PIECE_BYTES, video.subarray(0, PIECE_BYTES));
	expect(late.status).toBe(409);
	expect(await offsetAt(t, path)).toBe(2 * SEGMENT_BYTES);
	await send(t, path, 2 * SEGMENT_BYTES, video.length);
	expect((await finish(t, path)).status).toBe(204);
	await assertPlays(other);
});

test("nothing that a process without the upload's lease writes becomes durable", async () => {
	const path = await begin();
	await send(t, path, 0, PIECE_BYTES);
	const assertOwner = async () => Promise.reject(new Error("the lease is another's"));
	const zombie = await openTestRecordings({ storage: { bucket, storesInBucket: true, assertOwner }, beside: t });
	closing.push(() => zombie.close());
	await send(zombie, path, 0, video.length);
	await expect.poll(() => zombie.logged.join("\n")).toContain("the lease is another's");
	expect((await finish(zombie, path)).status).toBe(500);
	expect(await segments()).toEqual([]);
	expect((await only()).state).toBe("live");
	// Its objects are swept.
	t.advance(24 * HOUR_MS);
	await sweep();
	expect([...s3.objects.keys()]).toEqual([]);
});

inExplore(test)("an interrupted recording is stored after a day, and goes on if its runner returns", async () => {
	const path = await begin();
	await send(t, path, 0, 2 * SEGMENT_BYTES + PIECE_BYTES);
	await expect.poll(segments).toHaveLength(2);
	await interrupt(2 * SEGMENT_BYTES + PIECE_BYTES);
	const other = await anotherNode();
	for (const node of [t, other]) node.advance(25 * HOUR_MS);
	// The other one has only a part of it on its disk, or nothing.
	await sweepUploads(other.as("key"));
	expect((await only()).objectKey).toBeNull();
	await sweepUploads(t.as("key"));
	const { id, objectKey, downloadBytes } = await only();
	expect(objectKey).not.toBeNull();
	const played = await other.call(`/v1/recordings/${id}/video`, { as: "key" });
	expect([played.status, played.body.length]).toEqual([200, downloadBytes]);
	await sweep();
	expect([...s3.objects.keys()]).toEqual([`tapedeck/${objectKey}`]);
	const offset = await offsetAt(other, path);
	expect(offset).toBeGreaterThan(SEGMENT_BYTES);
	await send(other, path, offset, video.length);
	expect((await finish(other, path)).status).toBe(204);
	await assertPlays();
	await assertNothingElse();
});

inExplore(test)("the durable part of a recording whose process is gone is stored after two days", async () => {
	const path = await begin();
	await send(t, path, 0, SEGMENT_BYTES + PIECE_BYTES);
	await expect.poll(segments).toHaveLength(1);
	await interrupt(SEGMENT_BYTES + PIECE_BYTES);
	const other = await anotherNode();
	other.advance(49 * HOUR_MS);
	await sweepUploads(other.as("key"));
	const { id, objectKey, durationSeconds } = await only();
	expect(objectKey).not.toBeNull();
	expect(durationSeconds).toBeGreaterThan(0);
	expect((await other.call(`/v1/recordings/${id}/video`, { as: "key" })).status).toBe(200);
});

test("pictures are copied to a disk when they are asked for, and leave it when nobody has for a day", async () => {
	const path = await begin();
	await send(t, path, 0, video.length);
	await finish(t, path);
	const { id } = await only();
	expect((await t.call(`/v1/recordings/${id}/poster`, { as: "key" })).status).toBe(200);
	await sweepUploads(t.as("key"));
	expect(await t.files()).toHaveLength(1);
	t.advance(25 * HOUR_MS);
	await sweepUploads(t.as("key"));
	expect(await t.files()).toEqual([]);
});

inExplore(test)(
	"a bucket that fails in the middle of a recording loses nothing: the end waits until it works again",
	async () => {
		const path = await begin();
		await send(t, path, 0, PIECE_BYTES);
		for (const fault of [
			{ status: 503, code: "ServiceUnavailable" },
			{ status: 403, code: "AccessDenied" },
			{ status: 507, code: "InsufficientStorage" },
		]) {
			s3.fault = ({ method }) => (method === "GET" || method === "HEAD" ? undefined : fault);
			if ((await offsetAt(t, path)) < video.length) await send(t, path, PIECE_BYTES, video.length);
			const answer = (await only()).state === "live" ? await finish(t, path) : null;
			expect([503, 507, 400]).toContain(answer?.status);
			// The runner asks where to go on: it must not believe that everything is stored.
			const asked = await t.call(path, { method: "HEAD", headers: TUS });
			expect([503, 507]).toContain(asked.status);
			expect((await only()).state).toBe("live");
		}
		// The job's history says once that the store refuses it. What passes by itself is not worth a line.
		const waits = t.db.selectFrom("jobEvent").select(["message", "data"]).where("type", "=", UPLOAD_WAITING);
		expect(await waits.execute()).toEqual([
			{ message: expect.stringContaining("object storage is full or refuses"), data: '{"waitsFor":"bucket"}' },
		]);
		s3.fault = () => undefined;
		expect(await offsetAt(t, path)).toBe(video.length);
		await assertPlays();
		t.advance(24 * HOUR_MS);
		await assertNothingElse();
	},
);

inExplore(test)("a full bucket is not called a full disk", async () => {
	const path = await begin();
	await send(t, path, 0, video.length);
	s3.fault = ({ method }) =>
		method === "GET" || method === "HEAD" ? undefined : { status: 507, code: "InsufficientStorage" };
	const { status, body } = await finish(t, path);
	expect([status, body.toString()]).toEqual([
		507,
		"The dashboard's object storage is full. Finish the upload once there is space.\n",
	]);
	s3.fault = () => undefined;
	expect(await offsetAt(t, path)).toBe(video.length);
	await assertPlays();
});

test("a store that cannot compose gets the whole video in equal parts", async () => {
	s3.fault = ({ kind }) => (kind === "copy" ? { status: 501, code: "NotImplemented" } : undefined);
	const path = await begin();
	await send(t, path, 0, video.length);
	await expect.poll(async () => (await segments()).length).toBeGreaterThanOrEqual(2);
	expect((await finish(t, path)).status).toBe(204);
	await assertPlays();
	t.advance(24 * HOUR_MS);
	await assertNothingElse();
});

inExplore(test)("a connection that breaks, and an object that is not there at first, are tried again", async () => {
	const path = await begin();
	const broken = new Map<string, number>();
	s3.fault = ({ kind }) => {
		const times = (broken.get(kind) ?? 0) + 1;
		broken.set(kind, times);
		return times === 1 ? "cut" : undefined;
	};
	await send(t, path, 0, video.length);
	await expect.poll(async () => (await segments()).length).toBeGreaterThanOrEqual(2);
	expect((await finish(t, path)).status).toBe(204);
	await assertPlays();
	// While it is played, the bucket fails before the answer, then in its middle.
	const { id } = await only();
	s3.fault = () => ({ status: 503, code: "SlowDown" });
	const answer = await t.call(`/v1/recordings/${id}/video`, { as: "key" });
	expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([503, "unavailable"]);
	s3.fault = () => ({ status: 404, code: "NoSuchKey" });
	expect((await t.call(`/v1/recordings/${id}/video`, { as: "key" })).status).toBe(404);
	let blocks = 0;
	s3.fault = ({ kind }) => (kind === "get" && ++blocks > 2 ? { status: 404, code: "NoSuchKey" } : undefined);
	await expect(t.call(`/v1/recordings/${id}/video`, { as: "key" })).rejects.toThrow("aborted");
});

inExplore(test)(
	"an object whose parts cannot be noted in the database is given up, and composed the next time",
	async () => {
		const path = await begin();
		await send(t, path, 0, video.length);
		await sql`create trigger away before update of "multipartId" on "unusedObject"
		begin select raise(abort, 'away'); end`.execute(t.db);
		expect((await finish(t, path)).status).toBe(500);
		expect(s3.openParts).toBe(0);
		await sql`drop trigger away`.execute(t.db);
		expect(await offsetAt(t, path)).toBe(video.length);
		await assertPlays();
	},
);

inExplore(test)("leftovers of a crash between the bucket and the database are swept", async () => {
	const path = await begin();
	await send(t, path, 0, video.length);
	await expect.poll(async () => (await segments()).length).toBeGreaterThanOrEqual(2);
	s3.fault = ({ kind }) =>
		kind === "complete" || kind === "abort" ? { status: 403, code: "AccessDenied" } : undefined;
	expect((await finish(t, path)).status).toBe(503);
	expect(s3.openParts).toBe(1);
	s3.fault = () => undefined;
	expect(await offsetAt(t, path)).toBe(video.length);
	t.advance(24 * HOUR_MS);
	await assertNothingElse();
});
