/** Deleted recordings can be restored for a while, and their deletion stays known forever. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import type { TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { inExplore } from "#test/in-explore.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { sweepRetention, sweepTrash } from "./space/retention.ts";
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
		expect((await call("GET", `/v1/recordings/${id}`)).body).toEqual({ ...before, keptUntil: expect.any(String) });
		for (const query of ["", "&sort=bytes", "&q=Restored", "&q=label:build=b1"]) {
			expect(await listed(query), query).toContain(id);
		}
		expect((await api().call("GET", `/v1/recordings/${id}/video`)).status).toBe(200);
		// Twice is once.
		expect((await call("POST", `/v1/deleted-recordings/${id}/restore`)).status).toBe(200);
	});

	test("one of several deletes at the same moment succeeds, and the others find it deleted, not in progress", async () => {
		for (let round = 0; round < 5; round++) {
			const id = await upload("Deleted by several");
			const answers = await Promise.all(Array.from({ length: 8 }, () => call("DELETE", `/v1/recordings/${id}`)));
			expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
		}
	});

	test("a deletion stays known: by whom, when, why, and until when it can be undone", async () => {
		const id = await upload("Known", "&label=build=b2&outcome=failed");
		await remove(id);
		const { body } = await call("GET", `/v1/deleted-recordings/${id}`);
		expect(body).toMatchObject({ id, name: "Known", labels: { build: "b2" }, outcome: "failed", reason: "request" });
		expect(body.deletedBy).toEqual(expect.any(String));
		expect(Date.parse(body.restorableUntil) - Date.parse(body.deletedAt)).toBe(24 * 3_600_000);
		const [first] = (await call("GET", "/v1/deleted-recordings?limit=1")).body.data;
		expect(first).toEqual(body);
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

	const WEEK = 7 * 86_400_000;
	const setAge = (maxAgeDays: number | null) =>
		api()
			.app.db.insertInto("retention")
			.values({ organizationId: 1, ...POLICY, maxAgeDays })
			.onConflict((on) => on.column("organizationId").doUpdateSet({ maxAgeDays }))
			.execute();
	const isDeleted = async (id: number) => (await call("GET", `/v1/deleted-recordings/${id}`)).status === 200;

	test("retention spares a restored recording for a week without a pin, and deletes it again afterwards", async () => {
		const id = await upload("Spared");
		const createdAt = Date.now() - 40 * 86_400_000;
		await api().app.db.updateTable("recording").set({ createdAt }).where("id", "=", id).execute();
		await setAge(30);
		await sweepRetention(system(api()));
		expect((await call("GET", `/v1/deleted-recordings/${id}`)).body.reason).toBe("age");
		const before = Date.now();
		const { body } = await call("POST", `/v1/deleted-recordings/${id}/restore`);
		expect(body.pinned).toBe(false);
		expect(Date.parse(body.keptUntil)).toBeGreaterThanOrEqual(before + WEEK);
		expect(Date.parse(body.keptUntil)).toBeLessThanOrEqual(Date.now() + WEEK);
		expect((await call("GET", "/v1/retention")).body.overdueRecordings).toBe(0);
		await sweepRetention(system(api()));
		expect(await isDeleted(id)).toBe(false);
		await api().app.db.updateTable("recording").set({ keptUntil: Date.now() }).where("id", "=", id).execute();
		expect((await call("GET", "/v1/retention")).body.overdueRecordings).toBe(1);
		await sweepRetention(system(api()));
		expect(await isDeleted(id)).toBe(true);
		await setAge(null);
	});

	test("restoring many takes those that match by time, reason and build, and leaves the others in the trash", async () => {
		const ids: number[] = [];
		for (const build of ["r1", "r1", "r2", "r1"]) {
			const id = await upload("Many", `&label=build=${build}`);
			await remove(id);
			ids.push(id);
		}
		const [early = 0, aged = 0, other = 0, byHand = 0] = ids;
		const at = Date.parse("2026-11-20T12:00:00Z");
		const set = (id: number, values: { deletedAt: number; deletedFor: "age" | "request" }) =>
			api().app.db.updateTable("recording").set(values).where("id", "=", id).execute();
		await set(early, { deletedAt: at - 1, deletedFor: "age" });
		await set(aged, { deletedAt: at, deletedFor: "age" });
		await set(other, { deletedAt: at, deletedFor: "age" });
		await set(byHand, { deletedAt: at, deletedFor: "request" });
		const stretch = { deletedAfter: "2026-11-20T11:59:59.999Z", deletedBefore: "2026-11-20T12:00:00.001Z" };
		const listedIds = async () =>
			(
				await call(
					"GET",
					`/v1/deleted-recordings?restorable=1&build=r1&reason=age&deletedAfter=${stretch.deletedAfter}&deletedBefore=${stretch.deletedBefore}`,
				)
			).body.data.map(({ id }: { id: number }) => id);
		expect(await listedIds()).toEqual([aged]);
		const restore = async (body: object) => (await api().call("POST", "/v1/deleted-recordings/restore", { body })).body;
		const answer = await restore({ ...stretch, reason: ["age"], build: "r1" });
		expect(answer).toEqual({ restored: 1, hasMore: false, keptUntil: expect.any(String) });
		expect(await Promise.all(ids.map(isDeleted))).toEqual([true, false, true, true]);
		expect(await restore({ ...stretch, reason: ["age"] })).toMatchObject({ restored: 1 });
		expect(await restore({ build: "r1" })).toMatchObject({ restored: 2, hasMore: false });
		expect(await Promise.all(ids.map(isDeleted))).toEqual([false, false, false, false]);
		expect(await restore({ build: "r1" })).toMatchObject({ restored: 0, hasMore: false });
		// A misspelt filter must not restore everything.
		for (const body of [
			{},
			{ reason: ["boredom"] },
			{ deletedSince: "2026-11-20T12:00:00Z" },
			{ all: true, build: "r1" },
		]) {
			expect(await restore(body)).toMatchObject({ code: "validation_failed" });
		}
	});

	inExplore(test)("one call restores 200 recordings and says that there are more", async () => {
		const now = Date.now();
		const row = (number: number) => ({
			...{ organizationId: 1, jobId: null, name: "Of many", state: "ready" as const, contentType: "video/mp4" },
			...{ uploadId: `many-${number}`, durationSeconds: 1, bytes: 1, width: null, height: null, verdict: null },
			...{ createdAt: now, updatedAt: now, deletedAt: now, purgeAt: now + WEEK, deletedFor: "size" as const },
		});
		await api()
			.app.db.insertInto("recording")
			.values(Array.from({ length: 201 }, (_, number) => row(number)))
			.execute();
		const restore = async () =>
			(await api().call("POST", "/v1/deleted-recordings/restore", { body: { reason: ["size"] } })).body;
		expect(await restore()).toMatchObject({ restored: 200, hasMore: true });
		expect(await restore()).toMatchObject({ restored: 1, hasMore: false });
		await api().app.db.deleteFrom("recording").where("name", "=", "Of many").execute();
	});

	test("unpinning many changes only pinned recordings of the caller's organization", async () => {
		const ids = [await upload("Pinned"), await upload("Pinned"), await upload("Pinned"), await upload("Never pinned")];
		const [first = 0, second = 0, third = 0, never = 0] = ids;
		for (const id of [first, second, third])
			await api().call("PATCH", `/v1/recordings/${id}`, { body: { pinned: true } });
		const unpin = async (body: object) => await api().call("POST", "/v1/recordings/unpin", { body });
		expect((await unpin({ recordingIds: [first, never, 999_999] })).body).toEqual({
			recordingIds: [first],
			hasMore: false,
		});
		expect((await unpin({ all: true })).body).toEqual({ recordingIds: [second, third], hasMore: false });
		expect((await unpin({ all: true })).body).toEqual({ recordingIds: [], hasMore: false });
		for (const body of [{}, { every: true }, { all: true, recordingIds: [1] }, { recordingIds: [] }]) {
			expect((await unpin(body)).status).toBe(422);
		}
	});

	inExplore(test)(
		"files that a crash left of a removed recording are swept, and those in the trash are not",
		async () => {
			const [trashed, purged] = [await upload(), await upload()];
			for (const id of [trashed, purged]) await remove(id);
			// The process dies between the commit and the removal of the files.
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
		},
	);
});
