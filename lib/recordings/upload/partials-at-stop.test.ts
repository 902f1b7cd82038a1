/** Two dashboards on one PostgreSQL and one bucket, of which one stops while it has interrupted recordings. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { metadata } from "#test/tus-client.ts";
import { framesOf, makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";

const TUS = { "tus-resumable": "1.0.0" };

let s3: FakeS3;
let here: TestApi;
let there: TestApi;
let video: Buffer;
let half: number;
let dataDir: string;
let variables: Record<string, string>;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
	half = Math.ceil(video.length / 2);
	setFakeCredentials();
	s3 = await startFakeS3();
	dataDir = await mkdtemp(join(tmpdir(), "tapedeck-stop-"));
	variables = {
		TAPEDECK_DATABASE_URL: await createPostgresDatabase(),
		TAPEDECK_SECRET_KEY: "7b".repeat(32),
		TAPEDECK_STORAGE_URL: s3.url,
	};
	here = await startTestApi({ ...variables, TAPEDECK_DATA_DIR: dataDir });
});
afterAll(async () => {
	await there?.stop();
	await here?.stop();
	await s3?.stop();
	await rm(dataDir, { recursive: true, force: true });
	await removeTestFolder();
});

const patch = (api: TestApi, path: string, from: number, to: number) =>
	api.call("PATCH", path, {
		headers: { ...TUS, "content-type": "application/offset+octet-stream", "upload-offset": String(from) },
		raw: video.subarray(from, to),
	});

/** A recording of which half has arrived. @returns the path of its upload, and its id. */
async function interrupted(): Promise<{ path: string; id: number }> {
	const headers = { ...TUS, "upload-length": String(video.length), "upload-metadata": metadata({ name: "Cut" }) };
	const begun = await here.call("POST", "/v1/uploads", { headers });
	const path = begun.headers.get("location") ?? "";
	expect((await patch(here, path, 0, half)).status).toBe(204);
	const uploadId = path.split("/").at(-1) ?? "";
	const rows = here.app.db.selectFrom("recording").select(["id", "bytes"]).where("uploadId", "=", uploadId);
	// The row follows its upload within a second.
	await expect.poll(async () => (await rows.executeTakeFirst())?.bytes, { interval: 20 }).toBe(half);
	return { path, id: (await rows.executeTakeFirstOrThrow()).id };
}

const played = (api: TestApi, id: number) =>
	fetch(`${api.url}/v1/recordings/${id}/video`, { headers: { authorization: `Bearer ${TEST_API_KEY}` } });

test("interrupted recordings of a dashboard that stops play from the others and can be finished there, except one that the bucket refuses", async () => {
	const [refused, kept] = [await interrupted(), await interrupted()];
	// Started anew, so that nothing of them is on its way to their rows.
	await here.stop();
	here = await startTestApi({ ...variables, TAPEDECK_DATA_DIR: dataDir });
	there = await startTestApi(variables);
	await here.app.db.updateTable("recording").set({ state: "partial" }).execute();
	const refusedUpload = refused.path.split("/").at(-1) ?? "?";
	s3.fault = ({ key, method }) =>
		method === "GET" || !key.includes(refusedUpload) ? undefined : { status: 403, code: "AccessDenied" };
	await here.stop();
	const answer = await played(there, kept.id);
	expect(answer.status).toBe(200);
	const file = join(await testFolder(), "kept.mp4");
	await writeFile(file, Buffer.from(await answer.arrayBuffer()));
	const frames = await framesOf(file);
	expect(frames.length).toBeGreaterThan(0);
	expect((await framesOf(await makeVideo("recorder.mp4"))).slice(0, frames.length)).toEqual(frames);
	expect((await played(there, refused.id)).status).toBe(503);

	s3.fault = () => undefined;
	const head = await there.call("HEAD", kept.path, { headers: TUS });
	const offset = Number(head.headers.get("upload-offset"));
	expect([head.status, offset > 0]).toEqual([200, true]);
	expect((await patch(there, kept.path, offset, video.length)).status).toBe(204);
	expect(await there.call("GET", `/v1/recordings/${kept.id}`)).toMatchObject({ body: { state: "ready" } });
});
