import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY } from "#test/api-server.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { curlOfUpload } from "./upload-curl.ts";

afterAll(removeTestFolder);

test("the command uploads the file with all that the form says, whatever the file is called", async () => {
	const api = await startTestApi();
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-curl-"));
	onTestFinished(async () => {
		await api.stop();
		await rm(folder, { recursive: true });
	});
	const video = await makeVideo("plain.mp4", 2);
	for (const [fileName, keeping] of [
		[`-it's "a" [$HOME] {test}.mp4`, { labels: { test: "Shop › a+b & c=d", "ci.url": "https://ci/?a=1#x" } }],
		["plain.mp4", { labels: {}, outcome: "failed", keep: "failed" }],
		["plain.mp4", {}],
	] as const) {
		await copyFile(video, join(folder, fileName));
		const command = curlOfUpload(api.url, { file: new File([], fileName), kind: "video", type: "video/mp4" }, keeping);
		const env = { ...process.env, TAPEDECK_API_KEY: TEST_API_KEY };
		const { stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: folder, env });
		expect(JSON.parse(stdout)).toMatchObject({ name: fileName.replace(".mp4", ""), state: "ready", ...keeping });
	}
	await writeFile(join(folder, "notes.md"), "# Notes");
	const notes = { file: new File([], "notes.md"), kind: "document", type: "text/markdown" } as const;
	const env = { ...process.env, TAPEDECK_API_KEY: TEST_API_KEY };
	const { stdout } = await promisify(execFile)("sh", ["-c", curlOfUpload(api.url, notes, {})], { cwd: folder, env });
	expect(JSON.parse(stdout)).toMatchObject({ name: "notes.md", kind: "document", contentType: "text/markdown" });
});
