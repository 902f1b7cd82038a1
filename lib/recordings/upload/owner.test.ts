import { expect, test } from "vitest";
import { SESSION } from "#test/recordings.ts";
import { beginUpload, metadata, patch, TUS } from "#test/tus-client.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";

const t = testWithRecorderVideo();

const head = (path: string, as?: string) => t.call(path, { method: "HEAD", headers: TUS, as });
const only = async () => (await t.recordings())[0];

test("only the runner that holds the job uploads its video", async () => {
	const jobId = await t.addJob();
	const begin = (as: string, session: string, id: number | string = jobId) =>
		t.call("/v1/uploads", {
			method: "POST",
			as,
			headers: {
				...TUS,
				"tapedeck-session": session,
				"upload-defer-length": "1",
				"upload-metadata": metadata({ jobId: id }),
			},
		});
	expect((await begin("runner", "an-old-session")).status).toBe(403);
	expect((await begin("foreignRunner", "session-of-runner-2")).status).toBe(403);
	expect((await begin("foreignRunner", SESSION)).status).toBe(403);
	expect((await begin("key", SESSION)).status).toBe(403);
	expect((await begin("runner", SESSION, 999)).status).toBe(403);
	expect((await begin("runner", SESSION, "../x")).status).toBe(400);
	expect((await begin("runner", SESSION, await t.addJob("cancelled"))).status).toBe(409);
	expect(await t.files()).toEqual([]);
	const path = await beginUpload(t, { jobId });
	for (const [as, session] of [
		["runner", "an-old-session"],
		["foreignRunner", SESSION],
		["key", SESSION],
	] as const) {
		const status = as === "foreignRunner" ? 404 : 403;
		expect((await patch(t, path, 0, t.video, { as, session })).status).toBe(status);
		for (const method of ["HEAD", "DELETE"]) {
			const headers = { ...TUS, "tapedeck-session": session };
			expect((await t.call(path, { method, as, headers })).status).toBe(status);
		}
	}
	expect(await t.recordings()).toEqual([]);
	// The runner signed in again: its new session holds its jobs.
	await t.db.updateTable("runner").set({ sessionId: "the-next-session" }).where("id", "=", 1).execute();
	expect((await patch(t, path, 0, t.video, { session: "the-next-session" })).status).toBe(204);
});

test("a job has one upload: it can be created again while empty, but not once it has bytes", async () => {
	const jobId = await t.addJob();
	const first = await beginUpload(t, { jobId });
	expect(await beginUpload(t, { jobId })).toBe(first);
	await patch(t, first, 0, t.video.subarray(0, 10));
	const headers = { ...TUS, "upload-defer-length": "1", "upload-metadata": metadata({ jobId }) };
	expect((await t.call("/v1/uploads", { method: "POST", headers })).status).toBe(409);
	expect((await head(first)).headers["upload-offset"]).toBe("10");
});

test("anyone with a key can upload videos, and only the uploader can continue an upload", async () => {
	const path = await beginUpload(t, { name: "Demo", filetype: "video/webm" }, "key");
	expect((await patch(t, path, 0, t.video, { as: "otherKey" })).status).toBe(403);
	expect((await patch(t, path, 0, t.video, { as: "foreignKey" })).status).toBe(404);
	expect((await head(path, "owner")).status).toBe(403);
	expect((await patch(t, path, 0, t.video, { as: "key", length: t.video.length })).status).toBe(204);
	// The type comes from the content, not from the metadata.
	expect(await only()).toMatchObject({ name: "Demo", state: "ready", jobId: null, contentType: "video/mp4" });
	expect((await t.call(path, { method: "DELETE", headers: TUS, as: "key" })).status).toBe(400);
	expect((await only())?.state).toBe("ready");
});

test("invalid tus requests get tus responses and store nothing", async () => {
	const post = (headers: Record<string, string>) =>
		t.call("/v1/uploads", { method: "POST", headers: { "x-as": "key", ...headers } });
	expect((await post({ "upload-length": "5" })).status).toBe(412);
	expect((await post({ ...TUS })).status).toBe(400);
	expect((await post({ ...TUS, "upload-length": "-1" })).status).toBe(400);
	expect((await post({ ...TUS, "upload-length": "5", "upload-metadata": "name !!" })).status).toBe(400);
	const ask = { ...TUS, "upload-length": "5" };
	expect((await post({ ...ask, "upload-metadata": metadata({ filetype: "text/html" }) })).status).toBe(415);
	expect((await post({ ...TUS, "upload-length": "0" })).status).toBe(422);
	expect((await t.call("/v1/uploads/nothing", { method: "HEAD", headers: TUS })).status).toBe(404);
	expect((await t.call("/v1/uploads/..%2f..%2fx", { method: "HEAD", headers: TUS })).status).toBe(404);
	const path = await beginUpload(t, { name: "x" }, "key");
	expect((await t.call(path, { method: "PATCH", headers: { ...TUS, "upload-offset": "0" }, as: "key" })).status).toBe(
		403,
	);
	expect(await t.recordings()).toEqual([]);
	const options = await t.call("/v1/uploads", { method: "OPTIONS" });
	expect(options.headers["tus-extension"]).toBe("creation,creation-with-upload,creation-defer-length,termination");
});

test("a runner uploads a video without a job, and no other runner continues it", async () => {
	const path = await beginUpload(t, { name: "Watched" });
	expect((await patch(t, path, 0, t.video, { as: "foreignRunner", session: "session-of-runner-2" })).status).toBe(404);
	expect((await patch(t, path, 0, t.video, { as: "key" })).status).toBe(403);
	expect((await patch(t, path, 0, t.video)).status).toBe(204);
});
