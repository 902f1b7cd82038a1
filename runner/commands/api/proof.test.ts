/** Proofs on the command line: a cut, its receipt, and what both prove. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { tapedeck } from "../../../test/processes/tapedeck-command.ts";
import { makeVideo, removeTestFolder } from "../../../test/videos/make-video.ts";

let api: TestApi;
let folder: string;
let file: string;

beforeAll(async () => {
	api = await startTestApi();
	folder = await mkdtemp(join(tmpdir(), "tapedeck-proofs-"));
	file = join(folder, "proof.mp4");
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
	await rm(folder, { recursive: true });
});

async function upload(): Promise<number> {
	const raw = await readFile(await makeVideo("recorder.mp4"));
	const query = `name=Checkout&outcome=passed&label=commit=${"a1".repeat(20)}`;
	const { body } = await api.call("POST", `/v1/recordings?${query}`, { raw, headers: { "content-type": "video/mp4" } });
	return body.id;
}

const proof = (...words: string[]) =>
	tapedeck(["proof", ...words], { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY });
const verify = (...words: string[]) => tapedeck(["verify", ...words], { TAPEDECK_URL: api.url });

test("a proof is written with its receipt, which proves the cut and the whole in words, and nothing with a flipped byte", async () => {
	const id = await upload();
	const made = await proof(String(id), "--output", file);
	expect([made.status, made.text]).toEqual([0, expect.stringContaining(`receipt ${file}.receipt.json`)]);
	const cut = await verify(file);
	expect([cut.status, cut.text]).toEqual([0, expect.stringContaining(`the review cut of recording ${id} "Checkout"`)]);
	expect(cut.text).toContain(`label commit says ${"a1".repeat(20)}.`);
	expect(cut.text).toContain("Outcome: passed. The outcome was reported with the recording.");
	expect(cut.text).toContain("It does not prove that what the display showed was real");
	const headers = { authorization: `Bearer ${TEST_API_KEY}` };
	const video = await fetch(`${api.url}/v1/recordings/${id}/video`, { headers });
	await writeFile(join(folder, "whole.mp4"), Buffer.from(await video.arrayBuffer()));
	const whole = await verify(join(folder, "whole.mp4"), "--receipt", `${file}.receipt.json`);
	expect([whole.status, whole.text]).toEqual([0, expect.stringContaining(`the whole of recording ${id}`)]);
	const gif = join(folder, "proof.gif");
	const moving = await proof(String(id), "--gif", "--output", gif);
	expect([moving.status, moving.text]).toEqual([0, expect.stringContaining(`receipt ${gif}.receipt.json`)]);
	expect((await readFile(gif)).subarray(0, 3).toString()).toBe("GIF");
	expect((await verify(gif)).text).toContain(`the review cut of recording ${id}`);
	const bytes = await readFile(file);
	bytes[bytes.length - 100] = (bytes[bytes.length - 100] as number) ^ 1;
	await writeFile(join(folder, "flipped.mp4"), bytes);
	const flipped = await verify(join(folder, "flipped.mp4"), "--receipt", `${file}.receipt.json`);
	expect([flipped.status, flipped.text]).toEqual([1, expect.stringContaining("is not what the receipt is about")]);
});
