/** What is deleted can be restored for a while, and stays known for ever. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import type { TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { sweepTrash } from "./space/retention.ts";
import { sweepUploads } from "./upload/sweep-uploads.ts";

let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(removeTestFolder);

const POLICY = { maxAgeDays: null, maxDiskPercent: null, maxBytes: null };
const system = (api: TestApi) => contextFor(api.app, { kind: "system", organizationId: 1 });

onOneDatabase((api) => {
	const upload = async (name = "Run", query = ""): Promise<number> => {
		const headers = { "content-type": "video/mp4" };
		return (await api().call("POST", `/v1/recordings?name=${name}${query}`, { raw: video, headers })).body.id;
	};
	const call = async (method: string, path: string) => {
		const { status, body } = await api().call(method, path);
		return { status, body };
	};
	const remove = async (id: number) => expect((await call("DELETE", `/v1/recordings/${id}`)).status).toBe(204);
	const listed = async (query = "") =>
		(await call("GET", `/v1/recordings?limit=100${query}`)).body.data.map((one: { id: number }) => one.id);
	const purgeAtOnce = (id: number) =>
		api().app.db.updateTable("recording").set({ purgeAt: 1 }).where("id", "=", id).execute();

	test("a deleted recording is gone from every list and address, and comes back as it was", async () => {
		const id = await upload("Restored", "&label=build=b1&outcome=failed");
		const before = (await call("GET", `/v1/recordings/${id}`)).body;
		await remove(id);
		for (const path of ["", "/video", "/poster", "/storyboard", "/markers", "/frame?at=0", "/url", "/last-passed"]) {
			expect((await call("GET", `/v1/recordings/${id}${path}`)).status, path).toBe(404);
		}
		for (const query of [
			"",
			"&sort=bytes",
			"&sort=durationSeconds",
			"&q=Restored",
			"&q=label:build=b1",
			"&state=ready",
		]) {
			expect(await listed(query), query).not.toContain(id);
		}
		expect((await call("DELETE", `/v1/recordings/${id}`)).status).toBe(404);
		expect((await call("POST", `/v1/deleted-recordings/${id}/restore`)).status).toBe(200);
		expect((await call("GET", `/v1/recordings/${id}`)).body).toEqual(before);
		for (const query of ["", "&sort=bytes", "&q=Restored", "&q=label:build=b1"]) {
			expect(await listed(query), query).toContain(id);
		}
		expect((await api().call("GET", `/v1/recordings/${id}/video`)).status).toBe(200);
		// Twice is once.
		expect((await call("POST", `/v1/deleted-recordings/${id}/restore`)).status).toBe(200);
	});

	test("of deletes at the same moment one succeeds, and the others find it deleted, not in progress", async () => {
		for (let round = 0; round < 5; round++) {
			const id = await upload("Deleted by several");
			const answers = await Promise.all(Array.from({ length: 8 }, () => call("DELETE", `/v1/recordings/${id}`)));
			expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
		}
	});

	test("what was deleted stays known: by whom, when, why, and until when it can be restored", async () => {
		const id = await upload("Known", "&label=build=b2&outcome=failed");
		await remove(id);
		const { body } = await call("GET", `/v1/deleted-recordings/${id}`);
		expect(body).toMatchObject({ id, name: "Known", labels: { build: "b2" }, outcome: "failed", reason: "request" });
		expect(body.deletedBy).toEqual(expect.any(String));
		expect(Date.parse(body.restorableUntil) - Date.parse(body.deletedAt)).toBe(24 * 3_600_000);
		const [first] = (await call("GET", "/v1/deleted-recordings?limit=1")).body.data;
		expect(first).toEqual(body);
		const failures = (await call("GET", "/v1/failures")).body.data;
		expect(failures).toContainEqual(
			expect.objectContaining({
				...{ name: "Known", recording: null, outcome: "failed" },
				deletedRecording: expect.objectContaining({ id, reason: "request" }),
			}),
		);
		expect((await call("GET", "/v1/builds/b2")).body).toMatchObject({ recordings: 1, failed: 1 });
		const ofBuild = async (build: string) => (await call("GET", `/v1/deleted-recordings?build=${build}`)).body.data;
		expect(await ofBuild("b2")).toEqual([body]);
		expect(await ofBuild("b")).toEqual([]);
		expect((await call("GET", "/v1/deleted-recordings/999999")).status).toBe(404);
	});

	test("after its time in the trash its files go, it can no longer be restored, and it stays known", async () => {
		const id = await upload("Purged", "&label=build=b3");
		const { uploadId } = await api()
			.app.db.selectFrom("recording")
			.select("uploadId")
			.where("id", "=", id)
			.executeTakeFirstOrThrow();
		const files = async () =>
			(await readdir(join(api().dataDir, "videos"))).filter((name) => name.startsWith(uploadId));
		await remove(id);
		await sweepTrash(system(api()));
		expect(await files()).not.toEqual([]);
		const used = async () => (await call("GET", "/v1/retention")).body.storedBytes;
		const before = await used();
		await purgeAtOnce(id);
		await sweepTrash(system(api()));
		expect(await files()).toEqual([]);
		expect(before - (await used())).toBe(video.length);
		const restored = await call("POST", `/v1/deleted-recordings/${id}/restore`);
		expect([restored.status, restored.body.detail]).toEqual([
			409,
			expect.stringContaining("can no longer be restored"),
		]);
		expect((await call("GET", `/v1/deleted-recordings/${id}`)).body).toMatchObject({ restorableUntil: null, bytes: 0 });
		expect((await call("GET", "/v1/builds/b3")).body).toMatchObject({ recordings: 1 });
		const restorable = (await call("GET", "/v1/deleted-recordings?restorable=1")).body.data;
		expect(restorable.map((one: { id: number }) => one.id)).not.toContain(id);
	});

	test("a deleted recording can be removed for good at once", async () => {
		const id = await upload("Secret");
		await remove(id);
		for (const _ of [1, 2]) expect((await call("DELETE", `/v1/deleted-recordings/${id}`)).status).toBe(204);
		expect((await call("POST", `/v1/deleted-recordings/${id}/restore`)).status).toBe(409);
		expect((await call("DELETE", `/v1/deleted-recordings/${await upload()}`)).status).toBe(404);
	});

	test("a share link does not open a deleted recording, and opens it again once it is restored", async () => {
		const id = await upload();
		const { body } = await api().call("POST", `/v1/recordings/${id}/links`, { body: { expiresAt: null } });
		const token = body.url.split("/").at(-1);
		const visit = async (path = "") => (await api().call("GET", `/v1/shared/${token}${path}`, { token: null })).status;
		await remove(id);
		expect([await visit(), await visit("/video"), await visit("/poster")]).toEqual([404, 404, 404]);
		await call("POST", `/v1/deleted-recordings/${id}/restore`);
		expect([await visit(), await visit("/video")]).toEqual([200, 200]);
	});

	test("without a trash, what is deleted is deleted with its files", async () => {
		const set = (trashHours: number) =>
			api()
				.app.db.insertInto("retention")
				.values({ organizationId: 1, ...POLICY, trashHours })
				.onConflict((on) => on.column("organizationId").doUpdateSet({ trashHours }))
				.execute();
		await set(0);
		const id = await upload();
		await remove(id);
		expect((await call("GET", `/v1/deleted-recordings/${id}`)).body.restorableUntil).toBeNull();
		await set(24);
	});

	test("what retention deleted is pinned when it is restored, so that it is not deleted again", async () => {
		const id = await upload();
		await remove(id);
		await api().app.db.updateTable("recording").set({ deletedFor: "age" }).where("id", "=", id).execute();
		expect((await call("POST", `/v1/deleted-recordings/${id}/restore`)).body).toMatchObject({ id, pinned: true });
	});

	test("files that a crash left of a removed recording are swept, and those in the trash are not", async () => {
		const [trashed, purged] = [await upload(), await upload()];
		for (const id of [trashed, purged]) await remove(id);
		// As if the process had died between the commit and the removal of the files.
		await api().app.db.updateTable("recording").set({ purgeAt: null }).where("id", "=", purged).execute();
		const later = { now: () => Date.now() + 3 * 86_400_000 };
		await sweepUploads({ ...system(api()), clock: later });
		const rows = await api()
			.app.db.selectFrom("recording")
			.select(["id", "uploadId"])
			.where("id", "in", [trashed, purged])
			.execute();
		const names = await readdir(join(api().dataDir, "videos"));
		const has = (id: number) => names.includes(rows.find((row) => row.id === id)?.uploadId ?? "");
		expect([has(trashed), has(purged)]).toEqual([true, false]);
	});
});
