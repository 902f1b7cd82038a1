/** Clips on the command line. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { tapedeck } from "../../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { makeVideo, removeTestFolder } from "../../../test/videos/make-video.ts";
import { probeBytes } from "../../../test/videos/probe-bytes.ts";

let api: TestApi;
let folder: string;
let id: number;

beforeAll(async () => {
	api = await startTestApi();
	const raw = await readFile(await makeVideo("recorder.mp4", 12));
	const { body } = await api.call("POST", "/v1/recordings?name=clip", {
		raw,
		headers: { "content-type": "video/mp4" },
	});
	id = body.id;
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});
beforeEach(async () => {
	folder = await temporaryFolder("clips");
});

const clip = (words: string[]) =>
	tapedeck(["clip", ...words], { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY });

test("a clip is written to a file, or a folder, and says which seconds it has", async () => {
	const target = join(folder, "mine.mp4");
	const answer = await clip([String(id), "--from", "0:05", "--to", "7.5", "--output", target, "--json"]);
	const bytes = await readFile(target);
	expect(answer.data()).toEqual({ recordingId: id, file: target, from: 4, to: 7.5, bytes: bytes.length });
	expect(await probeBytes(bytes)).toMatchObject({ codec: "h264", width: 160 });
	const gif = await clip([String(id), "--from", "1", "--to", "2", "--gif", "--width", "64", "-o", folder]);
	expect(gif.text).toMatch(/clip-\d+\.gif, .+ to .+/);
	expect((await probeBytes(await readFile(join(folder, `clip-${id}.gif`)))).width).toBe(64);
	expect((await readdir(folder)).sort()).toEqual([`clip-${id}.gif`, "mine.mp4"]);
});

test("a stretch that is none, and a recording that is not there, are said, and leave no file", async () => {
	const backwards = await clip([String(id), "--from", "5", "--to", "4", "-o", folder]);
	expect([backwards.status, backwards.text]).toEqual([1, expect.stringContaining("more seconds than from")]);
	const strange = await clip([String(id), "--from", "soon", "-o", folder]);
	expect([strange.status, strange.text]).toEqual([2, expect.stringContaining("--from: Use a time in the video")]);
	const unknown = await clip(["999999", "-o", folder]);
	expect([unknown.status, unknown.text]).toEqual([1, expect.stringContaining("Recording 999999")]);
	expect(await readdir(folder)).toEqual([]);
});
