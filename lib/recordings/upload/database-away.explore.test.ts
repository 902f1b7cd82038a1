/** A database that fails at the moment when a recording's first bytes, or all of them, have been stored. */
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { beginUpload, patch, TUS } from "#test/tus-client.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";

const t = testWithRecorderVideo();
const NOTHING = Buffer.alloc(0);

let jobId: number;
let path: string;
beforeEach(async () => {
	jobId = await t.addJob("uploading");
	path = await beginUpload(t, { jobId });
});

/** Sends bytes that are stored, while no recording can be added to the database. */
async function sendWhileAway(bytes: Buffer, length?: number): Promise<void> {
	await sql`create trigger away before insert on recording begin select raise(abort, 'away'); end`.execute(t.db);
	expect((await patch(t, path, 0, bytes, { length })).status).toBe(500);
	await sql`drop trigger away`.execute(t.db);
	const head = await t.call(path, { method: "HEAD", headers: TUS });
	expect(head.headers["upload-offset"]).toBe(String(bytes.length));
}

async function expectPlayable(): Promise<void> {
	const [recording] = await t.recordings();
	expect(recording).toMatchObject({ jobId, state: "ready", bytes: t.video.length });
	const job = t.db.selectFrom("job").select("status").where("id", "=", jobId);
	expect(await job.executeTakeFirstOrThrow()).toEqual({ status: "completed" });
}

test.each([
	10_000, 1_000_000,
])("a recording whose first piece of up to %i bytes met it begins with the next piece", async (most) => {
	const first = t.video.subarray(0, Math.min(most, t.video.length - 1));
	await sendWhileAway(first);
	const rest = t.video.subarray(first.length);
	expect((await patch(t, path, first.length, rest)).status).toBe(204);
	expect(await t.recordings()).toMatchObject([{ jobId, state: "live" }]);
	await patch(t, path, t.video.length, NOTHING, { length: t.video.length });
	await expectPlayable();
});

test("a recording whose only piece met it is complete when its end is declared", async () => {
	await sendWhileAway(t.video);
	expect((await patch(t, path, t.video.length, NOTHING, { length: t.video.length })).status).toBe(204);
	await expectPlayable();
});

test("a recording whose only and last piece met it is complete when the runner asks for the offset", async () => {
	await sendWhileAway(t.video, t.video.length);
	await expectPlayable();
});

const finish = () => patch(t, path, t.video.length, NOTHING, { length: t.video.length });

test("a recording and its job end together or not at all, and both once the runner asks for the offset", async () => {
	expect((await patch(t, path, 0, t.video)).status).toBe(204);
	await sql`create trigger away before update of status on job when new.status = 'completed'
		begin select raise(abort, 'away'); end`.execute(t.db);
	expect((await finish()).status).toBe(500);
	await sql`drop trigger away`.execute(t.db);
	expect(await t.recordings()).toMatchObject([{ jobId, state: "live" }]);
	const head = await t.call(path, { method: "HEAD", headers: TUS });
	expect(head.headers["upload-offset"]).toBe(String(t.video.length));
	await expectPlayable();
});

test("an end of which nobody was notified, because the answer to its commit was lost, is published when the runner asks for the offset", async () => {
	expect((await patch(t, path, 0, t.video)).status).toBe(204);
	expect((await finish()).status).toBe(204);
	t.changes.length = 0;
	await t.call(path, { method: "HEAD", headers: TUS });
	expect(t.changes).toMatchObject([
		{ type: "recording", jobId },
		{ type: "job", jobId },
	]);
});

test("a file without a job that is no video, which its last request could not find out, is refused when its offset is asked for", async () => {
	const file = await beginUpload(t, { name: "Text" }, "key");
	const text = Buffer.from("this is no video, whatever it says");
	await sql`create trigger away before insert on recording begin select raise(abort, 'away'); end`.execute(t.db);
	expect((await patch(t, file, 0, text, { as: "key", length: text.length })).status).toBe(500);
	await sql`drop trigger away`.execute(t.db);
	expect((await t.call(file, { method: "HEAD", as: "key", headers: TUS })).status).toBe(422);
	expect(await t.recordings()).toEqual([]);
	expect(await t.files()).not.toContain(file.split("/").at(-1));
});
