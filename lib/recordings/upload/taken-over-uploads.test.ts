/** Two dashboards on one PostgreSQL, of which one has on its disk what the other has taken over. */
import { copyFile, readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { removeTakenOver } from "./sweep-uploads.ts";

let here: TestApi;
let there: TestApi;
let file: string;
beforeAll(async () => {
	file = await makeVideo("recorder.mp4");
	const variables = { TAPEDECK_DATABASE_URL: await createPostgresDatabase(), TAPEDECK_SECRET_KEY: "7a".repeat(32) };
	here = await startTestApi(variables);
	there = await startTestApi(variables);
});
afterAll(async () => {
	await there?.stop();
	await here?.stop();
	await removeTestFolder();
});

/** A recording at the other dashboard, with a copy here that was last written to some minutes ago. */
async function takenOver(columns: { state: "live" | "ready"; bytes?: number }, minutesAgo: number): Promise<string> {
	const answer = await fetch(`${there.url}/v1/recordings?name=There`, {
		method: "POST",
		headers: { authorization: `Bearer ${TEST_API_KEY}`, "content-type": "video/mp4" },
		body: new Uint8Array(await readFile(file)),
	});
	const { id } = (await answer.json()) as { id: number };
	const { uploadId } = await here.app.db
		.updateTable("recording")
		.set(columns)
		.where("id", "=", id)
		.returning("uploadId")
		.executeTakeFirstOrThrow();
	const copy = join(here.dataDir, "videos", uploadId);
	await copyFile(file, copy);
	const at = new Date(Date.now() - minutesAgo * 60_000);
	await utimes(copy, at, at);
	onTestFinished(() => void here.app.db.deleteFrom("recording").where("id", "=", id).execute());
	return copy;
}

const sweep = () => removeTakenOver(contextFor(here.app, { kind: "system", organizationId: 0 }));
const isThere = (path: string) =>
	stat(path).then(
		() => true,
		() => false,
	);

test("the rest of an upload is deleted within minutes once another dashboard has as much of it", async () => {
	const copies = [await takenOver({ state: "ready" }, 5), await takenOver({ state: "live" }, 5)];
	await sweep();
	expect(await Promise.all(copies.map(isThere))).toEqual([false, false]);
});

test("it stays while the other dashboard has less of it, and while it may still be written to", async () => {
	const copies = [await takenOver({ state: "live", bytes: 1_000 }, 5), await takenOver({ state: "live" }, 0)];
	await sweep();
	expect(await Promise.all(copies.map(isThere))).toEqual([true, true]);
});
