/** `tapedeck run --allure`, with a dashboard, a runner and a display of its own. */

import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../../test/api-server.ts";
import { inExplore } from "../../test/in-explore.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { probeBytes } from "../../test/videos/probe-bytes.ts";

let api: TestApi;
let folder: string;
let results: string;

beforeAll(async () => {
	api = await startTestApi();
	return () => api.stop();
});
beforeEach(async () => {
	folder = await temporaryFolder("allure");
	results = join(folder, "allure-results");
	await mkdir(results);
});

const run = (script: string, env: Record<string, string> = {}) =>
	tapedeck(
		[
			...["run", "--new-display", "320x240", "--data-dir", join(folder, "data")],
			...["--allure", results, "--", "sh", "-c", script],
		],
		{ TAPEDECK_URL: api.url, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, ...env },
	);
const resultOf = async (name: string) => JSON.parse(await readFile(join(results, `${name}-result.json`), "utf8"));
/** A test of two seconds, as an adapter writes it. */
const testThat = (name: string, status: string, more = "") => `
	start=$(date +%s%3N); sleep 2; stop=$(date +%s%3N)
	echo '{"uuid":"${name}","name":"${name}","status":"${status}","start":'$start',"stop":'$stop'${more}}' > ${results}/${name}-result.json`;

test("each test of the run gets its link, and one that failed a clip; the rest of the results stays as it is", async () => {
	const own =
		',"links":[{"name":"a ticket","url":"https://tickets.example/1","type":"issue"}],"parameters":[{"name":"a"}]';
	const old = JSON.stringify({ name: "old", status: "failed", start: Date.now(), stop: Date.now() });
	await writeFile(join(results, "old-result.json"), old);
	await utimes(join(results, "old-result.json"), 1, 1);
	await writeFile(join(results, "environment.properties"), "browser=chromium");
	const script = `${testThat("pays", "passed", own)}\n${testThat("refunds", "broken")}
		echo '{"broken' > ${results}/cut-result.json; exit 1`;
	const { status, text } = await run(script, { TAPEDECK_API_KEY: TEST_API_KEY });
	expect(status, text).toBe(1);
	expect(text).toContain(`Allure: 2 tests in ${results} got a link, 1 failure has a clip.`);
	const { body } = await api.call("GET", "/v1/jobs");
	const [{ id, startedAt }] = body.data;
	const page = `${api.url}/jobs/${id}`;
	const passed = await resultOf("pays");
	const failed = await resultOf("refunds");
	const offset = (ms: number) => (ms - Date.parse(startedAt)) / 1_000;
	expect(passed).toMatchObject({
		links: [
			{ name: "a ticket", url: "https://tickets.example/1", type: "issue" },
			{ name: "Recording", url: expect.stringContaining(`${page}?t=`), type: "tapedeck" },
		],
		...{ parameters: [{ name: "a" }], attachments: [] },
	});
	expect(Number(passed.links[1].url.split("?t=")[1])).toBeCloseTo(offset(passed.start), 1);
	expect(failed.links).toEqual([{ name: "Recording", url: expect.stringContaining(`${page}?t=`), type: "tapedeck" }]);
	// Within the test, so that the page selects it.
	expect(Number(failed.links[0].url.split("?t=")[1])).toBeCloseTo(
		Math.max(offset(failed.start), offset(failed.stop) - 5),
		1,
	);
	const [clip, ...others] = failed.attachments;
	expect(others).toEqual([]);
	expect(clip).toMatchObject({ name: "Recording of the failure", type: "video/mp4" });
	const video = await probeBytes(await readFile(join(results, clip.source)));
	expect(video).toMatchObject({ codec: "h264", width: 320 });
	expect(await readFile(join(results, "old-result.json"), "utf8")).toBe(old);
	expect(await readFile(join(results, "cut-result.json"), "utf8")).toBe('{"broken\n');
	expect((await readdir(results)).filter((name) => name.endsWith(".part"))).toEqual([]);
});

inExplore(test)(
	"without an API key there are links and no clip, and without a folder one warning; the status is the command's",
	async () => {
		const { status, text } = await run(`${testThat("refunds", "failed")}; exit 3`);
		expect(status, text).toBe(3);
		expect(await resultOf("refunds")).toMatchObject({ links: [{ name: "Recording" }], attachments: [] });
		await rm(results, { recursive: true });
		const without = await run("exit 4");
		expect(without.status, without.text).toBe(4);
		expect(without.text).toMatch(/The Allure results in .+ have no links: ENOENT.+\./);
	},
);
