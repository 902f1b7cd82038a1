/** Recordings in the bucket of an S3 server that is not ours. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteRecording, purgeRecording } from "#lib/recordings/deletion.ts";
import { sweepObjects } from "#lib/recordings/store/object-ledger.ts";
import { SEGMENT_BYTES } from "#lib/recordings/store/video-store.ts";
import { Bucket } from "#lib/s3/bucket.ts";
import { checkBucket } from "#lib/s3/check-bucket.ts";
import { parseStorageUrl } from "#lib/s3/storage-url.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { setFakeCredentials } from "#test/servers/fake-s3.ts";
import { beginUpload, patch, TUS } from "#test/tus-client.ts";
import { makeLargeVideo } from "#test/videos/large-video.ts";
import { removeTestFolder } from "#test/videos/make-video.ts";
import { motoPython } from "../bin/setup/external-programs.mjs";

const PIECE_BYTES = 4 * 2 ** 20;
const DAY_MS = 86_400_000;
const START_MS = 60_000;

let server: Child;
let endpoint: string;
let folder: string;
let video: Buffer;

beforeAll(async () => {
	setFakeCredentials();
	folder = await mkdtemp(join(tmpdir(), "tapedeck-moto-"));
	const port = await freePort();
	endpoint = `http://127.0.0.1:${port}`;
	server = startChild(motoPython, ["-m", "moto.server", "--host", "127.0.0.1", "--port", String(port)], {
		cwd: folder,
	});
	await server.says("Running on", START_MS);
	video = await makeLargeVideo("recorder.mp4");
}, START_MS);
afterAll(async () => {
	await server.stop();
	await rm(folder, { recursive: true, force: true });
	await removeTestFolder();
});

let buckets = 0;
let bucket: Bucket;
let nodes: TestRecordings[];
beforeEach(async () => {
	const name = `videos-${++buckets}`;
	expect((await fetch(`${endpoint}/${name}`, { method: "PUT" })).status).toBe(200);
	bucket = await open(name);
	nodes = [await openTestRecordings({ storage: { bucket, storesInBucket: true } })];
	return async () => {
		for (const node of nodes.reverse()) await node.close();
		bucket.close();
	};
});

async function open(name: string): Promise<Bucket> {
	const location = parseStorageUrl(
		"TAPEDECK_STORAGE_URL",
		`s3://${name}/recordings?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`,
	);
	if (location === null) throw new Error("not the URL of a bucket");
	return Bucket.open(location);
}

async function another(): Promise<TestRecordings> {
	const node = await openTestRecordings({
		storage: { bucket, storesInBucket: true },
		beside: nodes[0] as TestRecordings,
	});
	nodes.push(node);
	return node;
}

async function send(node: TestRecordings, path: string, from: number, to: number): Promise<void> {
	for (let at = from; at < to; at += PIECE_BYTES) {
		const answer = await patch(node, path, at, video.subarray(at, Math.min(to, at + PIECE_BYTES)));
		expect(answer.status, answer.body.toString()).toBe(204);
	}
}

test("the check at a dashboard's start passes, leaves nothing, and names a bucket that does not exist", async () => {
	await checkBucket(bucket, "TAPEDECK_STORAGE_URL");
	expect(await bucket.list()).toEqual([]);
	const missing = await open("not-there");
	await expect(checkBucket(missing, "TAPEDECK_STORAGE_URL")).rejects.toThrow("There is no bucket not-there");
	missing.close();
});

test("a recording that two dashboards receive becomes one object, plays by ranges at both, and its delete leaves nothing", async () => {
	const [node] = nodes as [TestRecordings];
	const path = await beginUpload(node, { jobId: await node.addJob("uploading"), name: "Large" });
	await send(node, path, 0, SEGMENT_BYTES + PIECE_BYTES);
	await expect.poll(() => node.db.selectFrom("videoSegment").selectAll().execute()).toHaveLength(1);
	const other = await another();
	const offset = Number((await other.call(path, { method: "HEAD", headers: TUS })).headers["upload-offset"]);
	expect(offset).toBe(SEGMENT_BYTES);
	await send(other, path, offset, video.length);
	const end = await patch(other, path, video.length, Buffer.alloc(0), { length: video.length });
	expect(end.status, end.body.toString()).toBe(204);

	const [row] = await node.recordings();
	if (row === undefined) throw new Error("no recording");
	const head = Number(row.objectHeaderBytes);
	const url = `/v1/recordings/${row.id}/video`;
	for (const each of [node, other]) {
		const played = await each.call(url, { as: "key" });
		expect([played.status, played.body.length]).toEqual([200, row.downloadBytes]);
		expect(played.body.subarray(head).equals(video.subarray(0, played.body.length - head))).toBe(true);
		const range = `bytes=${SEGMENT_BYTES - 10}-${SEGMENT_BYTES + 9}`;
		const part = await each.call(url, { as: "key", headers: { range } });
		expect(part.status).toBe(206);
		expect(part.body.equals(played.body.subarray(SEGMENT_BYTES - 10, SEGMENT_BYTES + 10))).toBe(true);
	}
	const sweep = () => sweepObjects(node.as("key"), bucket, new AbortController().signal);
	await sweep();
	expect(await bucket.list()).toEqual([row.objectKey]);
	await deleteRecording(node.as("key"), row.id);
	await purgeRecording(node.as("key"), row.id);
	node.advance(DAY_MS);
	await sweep();
	expect(await bucket.list()).toEqual([]);
});
