import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startTestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { startTcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";

const run = promisify(execFile);

test("the server answers before it has read the files of unfinished recordings", async () => {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-recover-"));
	const variables = { TAPEDECK_DATA_DIR: dataDir };
	const first = await startTestApi(variables);
	await first.app.db
		.insertInto("recording")
		.values({
			organizationId: 1,
			jobId: null,
			runnerId: null,
			name: "Interrupted",
			state: "partial",
			contentType: "video/mp4",
			uploadId: "0".repeat(32),
			durationSeconds: 1,
			bytes: 1_000,
			createdAt: 1,
			updatedAt: 1,
		})
		.execute();
	await first.stop();
	// Replace the file with a named pipe: opening it blocks until someone writes.
	const path = join(dataDir, "videos", "0".repeat(32));
	await mkdir(join(dataDir, "videos"), { recursive: true });
	await run("mkfifo", [path]);
	const second = await startTestApi(variables);
	try {
		expect((await second.call("GET", "/v1/recordings")).body.data[0].name).toBe("Interrupted");
	} finally {
		await (await open(path, "r+")).close();
		await second.stop();
		await rm(dataDir, { recursive: true, force: true });
	}
});

test("uploads are recovered, although the connections to the database break meanwhile", async () => {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-recover-"));
	const databaseUrl = await createPostgresDatabase();
	const network = await startTcpProxy(databaseUrl);
	const variables = {
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_DATABASE_URL: throughProxy(network, databaseUrl),
		TAPEDECK_DATABASE_DIRECT_URL: databaseUrl,
		TAPEDECK_LOG_LEVEL: "silent",
	};
	const first = await startTestApi(variables);
	const uploads = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(32, "0"));
	const video = await makeVideo("recorder.mp4");
	for (const uploadId of uploads) await copyFile(video, join(dataDir, "videos", uploadId));
	const row = { organizationId: 1, jobId: null, runnerId: null, name: "Interrupted", state: "partial" } as const;
	const empty = { contentType: "video/mp4", durationSeconds: 0, bytes: 0, createdAt: 1, updatedAt: 1 };
	const rows = uploads.map((uploadId) => ({ ...row, ...empty, uploadId }));
	await first.app.db.insertInto("recording").values(rows).execute();
	await first.stop();
	const second = await startTestApi(variables);
	try {
		network.reset();
		const { size } = await stat(video);
		const recovered = async () => {
			const known = await second.app.db.selectFrom("recording").select("bytes").execute();
			return known.every(({ bytes }) => bytes === size);
		};
		await until(() => recovered().catch(() => false), "all are recovered", 30_000);
	} finally {
		await second.stop();
		await network.stop();
		await rm(dataDir, { recursive: true, force: true });
		await removeTestFolder();
	}
});
