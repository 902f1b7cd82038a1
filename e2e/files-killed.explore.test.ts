/**
 * The dashboard and then the runner are killed while a runner uploads a file for a job, takes screenshots and uploads a watched folder.
 * Everything is stored in the end, whole and once.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startOwnPostgres } from "#test/databases/own-postgres.ts";
import { openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { newFolder, removeFolder } from "#test/runners/runner-process.ts";
import { setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { pause, until } from "#test/wait.ts";

const LARGE_BYTES = 150_000_000;
const WATCHED = 30;
const WATCHED_BYTES = 2_000_000;
const SCREENSHOTS = 5;
const AWAY_MS = 5_000;
const PNG = Buffer.from("\x89PNG", "latin1");

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

async function onPostgres() {
	setFakeCredentials();
	const [postgres, s3] = await Promise.all([startOwnPostgres(), startFakeS3()]);
	const variables = {
		TAPEDECK_DATABASE_URL: postgres.url,
		TAPEDECK_STORAGE_URL: s3.url,
		TAPEDECK_SECRET_KEY: "5e".repeat(32),
		TAPEDECK_URL: "http://tapedeck.test",
	};
	return { variables, stop: async () => void (await Promise.all([postgres.stop(), s3.stop()])) };
}
const onSqlite = async () => ({ variables: {}, stop: async () => undefined });

describe.each([
	["SQLite and the disk", onSqlite],
	["PostgreSQL and a bucket", onPostgres],
] as const)("on %s", (_, open) => {
	let scene: Scene;
	let runner: SceneRunner;
	let folder: string;
	let stop: () => Promise<void>;
	beforeAll(async () => {
		const place = await open();
		stop = place.stop;
		folder = await newFolder();
		for (const name of ["watched", "uploads"]) await mkdir(join(folder, name));
		scene = await openScene(place.variables);
		const env = { TAPEDECK_WATCH_DIR: join(folder, "watched"), TAPEDECK_UPLOAD_DIR: join(folder, "uploads") };
		runner = await scene.addRunner("files", { env });
	}, 180_000);
	afterAll(async () => {
		await scene?.stop();
		await stop?.();
		await removeFolder(folder);
	});

	const created = (body: object): Promise<Job> =>
		scene.dashboard.api.call<Job>("POST", "/v1/jobs", { runnerId: runner.id, ...body });
	const recordings = async (kind: string): Promise<Recording[]> =>
		(await scene.dashboard.api.call<{ data: Recording[] }>("GET", `/v1/recordings?kind=${kind}&limit=100`)).data;
	const bytesOf = async (id: number | undefined): Promise<Buffer> => {
		const headers = { authorization: `Bearer ${scene.dashboard.apiKey}` };
		const answer = await fetch(`${scene.dashboard.url}/v1/recordings/${id}/video`, { headers });
		expect(answer.status).toBe(200);
		return Buffer.from(await answer.arrayBuffer());
	};

	test.each([
		["the dashboard", () => scene.dashboard.kill(), () => scene.dashboard.startAgain()],
		["the runner", () => runner.kill(), () => runner.startAgain()],
	] as const)(
		"%s is killed in the middle, and everything is stored whole and once",
		async (who, kill, startAgain) => {
			const large = randomBytes(LARGE_BYTES);
			await writeFile(join(folder, "uploads", `${who}.bin`), large);
			const before = { other: (await recordings("other")).length, image: (await recordings("image")).length };
			const watched = Array.from({ length: WATCHED }, () => randomBytes(WATCHED_BYTES));
			await mkdir(join(folder, "next"));
			await Promise.all(watched.map((bytes, at) => writeFile(join(folder, "next", `${who} ${at}.bin`), bytes)));

			const upload = await created({ type: "file_upload", path: `${who}.bin` });
			await rename(join(folder, "next"), join(folder, "watched", who));
			const arrived = async () => ((await scene.dashboard.api.readJob(upload.id)).recording?.bytes ?? 0) > 0;
			await until(arrived, "bytes of the upload arrive", 60_000);
			const screenshots: Job[] = [];
			for (let count = 0; count < SCREENSHOTS; count += 1)
				screenshots.push(await created({ type: "screenshot", displayId: scene.display.id }));
			const halfway = await scene.dashboard.api.readJob(upload.id);
			await kill();
			expect(halfway.recording?.state).toBe("live");
			await pause(AWAY_MS);
			await startAgain();

			const done = await scene.status(upload.id, "completed", 120_000);
			expect(sha256(await bytesOf(done.recording?.id))).toBe(sha256(large));
			for (const { id } of screenshots) {
				const { recording } = await scene.status(id, "completed", 120_000);
				expect((await bytesOf(recording?.id)).subarray(0, PNG.length)).toEqual(PNG);
			}
			for (const { id } of [upload, ...screenshots]) expect(await scene.history(id)).not.toContain("runner_lost");
			const stored = await until(
				async () => {
					const found = (await recordings("other")).filter(({ state }) => state === "ready");
					return found.length >= before.other + WATCHED + 1 ? found : null;
				},
				"the watched files are stored",
				180_000,
			);
			// A second upload of a file would come with the next scans.
			await pause(AWAY_MS);
			expect(await recordings("other")).toHaveLength(before.other + WATCHED + 1);
			expect(await recordings("image")).toHaveLength(before.image + SCREENSHOTS);
			const names = new Map(stored.map(({ name, id }) => [name, id]));
			for (const [at, bytes] of watched.entries())
				expect(sha256(await bytesOf(names.get(`${who} ${at}.bin`)))).toBe(sha256(bytes));
		},
		600_000,
	);
});
