import { execFile } from "node:child_process";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startTestApi } from "#test/api-server.ts";

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
