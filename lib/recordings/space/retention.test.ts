import { readFile, statfs, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { changeRecording } from "../change-recording.ts";
import { recoverUploads, sweepUploads } from "../upload/sweep-uploads.ts";
import { UploadLeases } from "../upload/upload-leases.ts";
import { getRetention, previewRetention, setRetention, sweepDisk, sweepRetention, sweepTrash } from "./retention.ts";
import { bytesOverLimits, dueRecordings, wantedDiskPercent } from "./retention-rules.ts";

afterAll(removeTestFolder);

const DAY = 86_400_000;
const NEVER = { maxAgeDays: null, maxDiskPercent: null, maxBytes: null };
/** Files go at once. */
const NO_TRASH = { trashHours: 0 };

let t: TestRecordings;
beforeEach(async () => {
	t = await openTestRecordings();
});
afterEach(() => t.close());

let made = 0;
/** Adds a recording of `bytes` that is `ageDays` old. */
async function add(ageDays: number, bytes = 1_000, more: Record<string, unknown> = {}): Promise<number> {
	made += 1;
	const uploadId = made.toString(16).padStart(32, "0");
	await writeFile(join(t.videosDir, uploadId), Buffer.alloc(10));
	const createdAt = Date.now() - ageDays * DAY;
	const { id } = await t.db
		.insertInto("recording")
		.values({
			organizationId: 1,
			jobId: null,
			name: `r${made}`,
			state: "ready",
			contentType: "video/mp4",
			uploadId,
			durationSeconds: 1,
			bytes,
			width: null,
			height: null,
			pinned: 0,
			createdAt,
			updatedAt: createdAt,
			...more,
		})
		.returning("id")
		.executeTakeFirstOrThrow();
	return id;
}
const left = async () => (await t.recordings()).filter((row) => row.deletedAt === null).map((row) => row.id);

test("the default policy is 30 days and 80 % of the disk", async () => {
	await add(1);
	const retention = await getRetention(t.as("viewer"));
	expect(retention).toMatchObject({ maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null });
	expect(retention).toMatchObject({ storedBytes: 1_000, storedRecordings: 1 });
	expect(retention.diskPercent).toBeGreaterThan(0);
	expect(retention.diskPercent).toBeLessThanOrEqual(100);
});

test("recordings older than the policy allows are deleted, except pinned and live ones", async () => {
	await setRetention(t.as("owner"), { ...NEVER, ...NO_TRASH, maxAgeDays: 7 });
	const old = await add(8);
	const pinned = await add(9, 1_000, { pinned: 1 });
	const live = await add(10, 1_000, { state: "live" });
	const young = await add(6);
	const theirs = await add(29, 1_000, { organizationId: 2 });
	expect((await getRetention(t.as("owner"))).next.map((each) => [each.recordingId, each.reason])).toEqual([
		[old, "age"],
		[young, "age"],
	]);
	expect(await sweepRetention(t.as("owner"))).toBe(1);
	expect(await left()).toEqual([pinned, live, young, theirs]);
	expect(await t.files()).toHaveLength(4);
	expect(t.changes).toContainEqual(expect.objectContaining({ recordingId: old, deleted: true }));
});

test("a recording whose test passed goes when its time is over, says so in the audit log, and not if it is kept or live", async () => {
	await setRetention(t.as("owner"), NEVER);
	const past = Date.now() - 1;
	const passed = { outcome: "passed", keep: "failed" };
	const due = await add(1, 1_000, { ...passed, deleteAt: past });
	const later = await add(1, 1_000, { ...passed, deleteAt: Date.now() + 60_000 });
	const live = await add(1, 1_000, { ...passed, deleteAt: past, state: "live" });
	const pinned = await add(1, 1_000, { ...passed, deleteAt: past, pinned: 1 });
	const kept = await add(1, 1_000, { outcome: "passed", keep: "failed", deleteAt: past });
	await changeRecording(t.as("owner"), kept, { keep: "always" });
	expect(await sweepRetention(t.as("owner"))).toBe(1);
	expect(await left()).toEqual([later, live, pinned, kept]);
	const entries = await t.db.selectFrom("auditEntry").select(["action", "targetId", "detail"]).execute();
	expect(entries).toContainEqual({ action: "recording.deleted", targetId: due, detail: '{"reason":"passed"}' });
	expect(entries).toContainEqual(expect.objectContaining({ action: "recording.kept", targetId: kept }));
});

test("over its byte limit an organization loses its oldest recordings, no more than needed", async () => {
	await setRetention(t.as("owner"), { ...NEVER, maxBytes: 2_500 });
	const oldest = await add(5);
	const pinned = await add(4, 1_000, { pinned: 1 });
	const older = await add(3);
	const newest = await add(1, 400);
	const { next, storedBytes } = await getRetention(t.as("owner"));
	expect(storedBytes).toBe(3_400);
	expect(next.map((each) => [each.recordingId, each.reason])).toEqual([[oldest, "size"]]);
	await sweepRetention(t.as("owner"));
	expect(await left()).toEqual([pinned, older, newest]);
});

test("limits on bytes take recordings of failed tests last, whatever their age", async () => {
	const failed = await add(9, 1_000, { outcome: "failed" });
	const black = await add(8, 1_000, { verdict: "black" });
	const passed = await add(3, 1_000, { outcome: "passed" });
	const unknown = await add(2);
	const newFailed = await add(1, 1_000, { outcome: "error" });
	await setRetention(t.as("owner"), { ...NEVER, maxBytes: 3_500 });
	expect((await getRetention(t.as("owner"))).next.map((each) => each.recordingId)).toEqual([passed, unknown]);
	await sweepRetention(t.as("runner"));
	expect(await left()).toEqual([failed, black, newFailed]);
	await setRetention(t.as("owner"), { ...NEVER, maxBytes: 1_500 });
	await sweepRetention(t.as("runner"));
	expect(await left()).toEqual([newFailed]);
});

test("a limit on bytes takes no more than needed, although what it deletes still fills the trash", async () => {
	for (let age = 1; age <= 10; age += 1) await add(age);
	await setRetention(t.as("owner"), { ...NEVER, maxBytes: 6_000 });
	expect(await sweepRetention(t.as("runner"))).toBe(4);
	expect(await sweepRetention(t.as("runner"))).toBe(0);
	expect(await getRetention(t.as("owner"))).toMatchObject({
		...{ storedBytes: 10_000, storedRecordings: 6, trashBytes: 4_000, trashRecordings: 4, overdueRecordings: 0 },
	});
	t.advance(DAY);
	expect(await sweepTrash(t.as("runner"))).toBe(4);
	expect(await getRetention(t.as("owner"))).toMatchObject({ storedBytes: 6_000, trashBytes: 0, trashRecordings: 0 });
});

test("a preview says how many a policy deletes at once, how many of failed tests, and the newest of them", async () => {
	await add(40, 1_000, { outcome: "failed" });
	await add(20);
	const newest = await add(3);
	await add(2, 1_000, { outcome: "failed" });
	await add(50, 1_000, { pinned: 1 });
	const preview = (policy: object) => previewRetention(t.as("owner"), { ...NEVER, ...policy });
	expect(await preview({})).toEqual({ recordings: 0, bytes: 0, failed: 0, newest: null });
	expect(await preview({ maxAgeDays: 30 })).toMatchObject({ recordings: 1, failed: 1 });
	expect(await preview({ maxAgeDays: 30, maxBytes: 2_500 })).toMatchObject({
		...{ recordings: 3, bytes: 3_000, failed: 1, newest: { recordingId: newest } },
	});
	expect((await getRetention(t.as("owner"))).storedRecordings).toBe(5);
	await setRetention(t.as("owner"), { ...NEVER, maxAgeDays: 30, maxBytes: 2_500 });
	expect(await sweepRetention(t.as("runner"))).toBe(3);
});

test("a sweep that is stopped midway leaves the rest overdue, and the next one deletes it", async () => {
	for (let age = 0; age < 60; age += 1) await add(age < 10 ? 0 : 40 + age);
	await add(90, 1_000, { pinned: 1 });
	await setRetention(t.as("owner"), { ...NEVER, maxAgeDays: 30 });
	expect((await getRetention(t.as("viewer"))).overdueRecordings).toBe(50);
	const stopping = new AbortController();
	const stopped = { ...t.as("runner"), events: { ...t.as("runner").events, publish: () => stopping.abort() } };
	const step = await sweepRetention(stopped, stopping.signal);
	expect(step).toBeLessThan(50);
	expect((await getRetention(t.as("viewer"))).overdueRecordings).toBe(50 - step);
	expect(await sweepRetention(t.as("runner"))).toBe(50 - step);
	expect(await getRetention(t.as("viewer"))).toMatchObject({ overdueRecordings: 0, storedRecordings: 11 });
});

test("recordings deleted since the last count are subtracted from many overdue ones, until the limits change", async () => {
	await setRetention(t.as("owner"), { ...NEVER, maxAgeDays: 30 });
	const old = Date.now() - 60 * DAY;
	await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
		insert into recording ("organizationId", name, state, "contentType", "uploadId", "durationSeconds", bytes, "createdAt", "updatedAt")
		select 1, 'old', 'ready', 'video/mp4', 'many-' || i, 1, 1000, ${old} + case when i > 11000 then ${20 * DAY} else 0 end, ${old}
		from n`.execute(t.db);
	const overdue = async () => (await getRetention(t.as("viewer"))).overdueRecordings;
	expect(await overdue()).toBe(12_000);
	await t.db.deleteFrom("recording").where("uploadId", "in", ["many-1", "many-2", "many-3"]).execute();
	expect(await overdue()).toBe(11_997);
	await setRetention(t.as("owner"), { ...NEVER, maxAgeDays: 50 });
	expect(await overdue()).toBe(10_997);
	await t.db.deleteFrom("recording").where("createdAt", "=", old).where("id", "<=", 2_000).execute();
	expect(await overdue()).toBe(9_000);
});

test("a policy that is relaxed and a recording that is pinned in the middle of a sweep take effect in it", async () => {
	for (let age = 0; age < 230; age += 1) await add(300 - age);
	const [pinned = 0] = (await left()).slice(100);
	await setRetention(t.as("owner"), { ...NEVER, maxAgeDays: 30 });
	let changed: Promise<unknown> | null = null;
	const change = async () => {
		await t.db.updateTable("recording").set({ pinned: 1 }).where("id", "=", pinned).execute();
		await setRetention(t.as("owner"), NEVER);
	};
	const publish = () => {
		changed ??= change();
	};
	await sweepRetention({ ...t.as("runner"), events: { ...t.as("runner").events, publish } });
	await changed;
	expect(await left()).toContain(pinned);
	expect((await left()).length).toBe(31);
});

test("recordings over the byte limit are overdue, no more than have to go", async () => {
	for (let age = 1; age <= 20; age += 1) await add(age);
	await setRetention(t.as("owner"), { ...NEVER, maxBytes: 14_500 });
	expect((await getRetention(t.as("viewer"))).overdueRecordings).toBe(6);
	expect(await sweepRetention(t.as("runner"))).toBe(6);
	expect((await getRetention(t.as("viewer"))).overdueRecordings).toBe(0);
});

test("a disk over its limit loses the oldest first, but never everything because of other files", () => {
	const gib = 2 ** 30;
	const policy = { ...NEVER, maxDiskPercent: 80 };
	const recordings = [1, 2, 3].map((id) => ({ id, name: "", bytes: 5 * gib, createdAt: id }));
	const orders = { oldestFirst: recordings, expendableFirst: recordings };
	const ids = (usedGib: number, trashGib = 0) => {
		const disk = { usedBytes: usedGib * gib, totalBytes: 100 * gib, videoBytes: 15 * gib };
		const over = bytesOverLimits(policy, { storedBytes: 15 * gib, trashBytes: trashGib * gib, disk });
		return dueRecordings(orders, { policy, over, now: 10 }).map(({ recording }) => recording.id);
	};
	expect(ids(80)).toEqual([]);
	expect(ids(81)).toEqual([1]);
	expect(ids(88)).toEqual([1, 2]);
	// The trash is emptied anyway.
	expect(ids(88, 5)).toEqual([1]);
	expect(ids(88, 8)).toEqual([]);
	// Other files fill 85 %: recordings keep half of what is left.
	expect(wantedDiskPercent(policy, { usedBytes: 90, totalBytes: 100, videoBytes: 5 })).toBe(92.5);
	expect(wantedDiskPercent(NEVER, { usedBytes: 90, totalBytes: 100, videoBytes: 5 })).toBeNull();
});

test("a sweep of a disk over its limit stops as soon as enough was deleted", async () => {
	const { blocks, bfree, bsize } = await statfs(t.videosDir);
	await setRetention(t.as("owner"), { ...NEVER, maxDiskPercent: 1 });
	// As if this one recording filled the whole disk.
	await add(5, (blocks - bfree) * bsize);
	const pinned = await add(9, 1_000, { pinned: 1 });
	const newer = await add(1);
	expect((await getRetention(t.as("owner"))).next.map((each) => each.reason)).toEqual(["disk"]);
	expect(await sweepRetention(t.as("owner"))).toBe(0);
	expect(await sweepDisk(t.as("owner"))).toBe(1);
	expect(await left()).toEqual([pinned, newer]);
});

test("a dashboard among several whose disk is over its limit deletes only recordings on that disk", async () => {
	const { blocks, bfree, bsize } = await statfs(t.videosDir);
	await setRetention(t.as("owner"), { ...NEVER, maxDiskPercent: 1 });
	const elsewhere = await add(9);
	const inBucket = await add(8, 1_000, { objectKey: "videos/8" });
	const here = await add(5, (blocks - bfree) * bsize);
	for (const [id, nodeId] of [
		[elsewhere, "there"],
		[inBucket, "here"],
		[here, "here"],
	] as const) {
		const { uploadId } = await t.db
			.selectFrom("recording")
			.select("uploadId")
			.where("id", "=", id)
			.executeTakeFirstOrThrow();
		await t.db.insertInto("uploadLease").values({ uploadId, nodeId, epoch: 1, storedAt: 1 }).execute();
	}
	const leases = new UploadLeases(t.db, { id: "here", holds: true, term: 1 });
	expect(await sweepDisk({ ...t.as("owner"), leases })).toBe(1);
	expect(await left()).toEqual([elsewhere, inBucket]);
});

test("once uploads meet the storage quota, the policy holds within seconds, and what it deletes makes room", async () => {
	const owner = { ...t.as("owner"), quotas: { queuedJobs: 0, uploadBytes: 0, organizationBytes: 5_000 } };
	await setRetention(owner, { ...NEVER, maxBytes: 3_500 });
	const old = await add(5);
	const kept = [await add(4), await add(3), await add(9, 5_000, { organizationId: 2, pinned: 1 })];
	const last = await add(1, 800);
	expect(await sweepTrash(owner)).toBe(0);
	expect(await left()).toEqual([old, ...kept, last]);
	const full = await add(1, 1_200);
	expect(await sweepTrash(owner)).toBe(2);
	expect(await left()).toEqual([kept[1], kept[2], last, full]);
	expect(await getRetention(owner)).toMatchObject({ storedBytes: 3_000, trashBytes: 0 });
});

test("setting a policy replaces the previous one", async () => {
	expect(await setRetention(t.as("owner"), { ...NEVER, maxAgeDays: 3 })).toMatchObject({ maxAgeDays: 3 });
	expect(await setRetention(t.as("owner"), { ...NEVER, maxBytes: 5 })).toMatchObject({ maxAgeDays: null, maxBytes: 5 });
});

test("an upload idle for a day ends: it stays as partial if playable, otherwise it is deleted", async () => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const ended = await beginUpload(t, { jobId: await t.addJob("failed") });
	await patch(t, ended, 0, video.subarray(0, 30_000));
	const running = await beginUpload(t, { jobId: await t.addJob("recording") });
	await patch(t, running, 0, video.subarray(0, 30_000));
	const unplayable = await beginUpload(t, { name: "x" }, "key");
	await patch(t, unplayable, 0, video.subarray(0, 300), { as: "key" });
	const empty = await beginUpload(t, { name: "y" }, "key");
	const waiting = await beginUpload(t, { jobId: await t.addJob("recording") });
	await sweepUploads(t.as("key"));
	expect((await t.recordings()).map((row) => row.state)).toEqual(["live", "live", "live"]);
	t.advance(DAY + 60_000);
	await sweepUploads(t.as("key"));
	expect((await t.recordings()).map((row) => row.state)).toEqual(["partial", "live"]);
	expect((await t.recordings())[0]?.durationSeconds).toBeGreaterThan(1);
	const names = (await t.files()).join(" ");
	for (const path of [unplayable, empty]) expect(names).not.toContain(path.split("/").at(-1));
	for (const path of [ended, running, waiting]) expect(names).toContain(path.split("/").at(-1));
});

test("files left behind by a crash are deleted after a day; other files are never touched", async () => {
	const orphan = "f".repeat(32);
	for (const name of [`${orphan}.part`, `${orphan}.jpg`, "notes.txt", "job-x"]) {
		await writeFile(join(t.videosDir, name), "x");
		await utimes(join(t.videosDir, name), 1, 1);
	}
	const kept = await add(40);
	await sweepUploads(t.as("key"));
	expect(await t.files()).toEqual([(await t.recordings())[0]?.uploadId, "job-x", "notes.txt"].sort());
	expect(await left()).toEqual([kept]);
});

test("after a crash rows are updated to match their files, and complete videos end their jobs", async () => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const path = await beginUpload(t, { jobId: await t.addJob() });
	await patch(t, path, 0, video);
	const jobId = await t.addJob("uploading");
	await patch(t, await beginUpload(t, { jobId }), 0, video, { length: video.length });
	await t.db.updateTable("recording").set({ bytes: 1, durationSeconds: 0 }).where("state", "=", "live").execute();
	await t.db.updateTable("job").set({ status: "uploading" }).where("id", "=", jobId).execute();
	await recoverUploads(t.as("key"), new AbortController().signal);
	const [live] = await t.recordings();
	expect(live).toMatchObject({ bytes: video.length });
	expect(live?.durationSeconds).toBeGreaterThan(3);
	const job = await t.db.selectFrom("job").select("status").where("id", "=", jobId).executeTakeFirst();
	expect(job?.status).toBe("completed");
});
