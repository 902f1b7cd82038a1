/** Uses the package as others install it: packed, installed without a network, type-checked, and run by plain Node. */

import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../../contract/version.ts";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../../../test/api-server.ts";
import { installClients } from "../../../test/clients/install-clients.ts";
import { startXvfb, type VirtualDisplay } from "../../../test/displays/xvfb.ts";
import { inExplore } from "../../../test/in-explore.ts";
import { type Child, startChild } from "../../../test/processes/child.ts";
import { newFolder, probe, removeFolder, startRunner } from "../../../test/runners/runner-process.ts";
import { Tapedeck } from "./index.ts";

const PACKAGE = new URL("..", import.meta.url).pathname;
const run = promisify(execFile);

let folder: string;
/** The package's files. */
let packed: string[];
let dataDir: string;
let api: TestApi;
let display: VirtualDisplay;
let runner: Child;
beforeAll(async () => {
	const [installed, ...started] = await Promise.all([
		installClients("typescript"),
		newFolder(),
		startTestApi(),
		startXvfb(),
	]);
	({
		folder,
		contents: [packed = []],
	} = installed);
	[dataDir, api, display] = started;
	await display.move();
	const env = { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN };
	runner = startRunner({ url: api.url, dataDir, display: display.id, env });
	await runner.says("Connected to", 60_000);
});
afterAll(async () => {
	await runner.stop(10_000);
	await Promise.all([display.stop(), api.stop(), removeFolder(dataDir), rm(folder, { recursive: true })]);
});

const script = (displayId: string): string => `
import { writeFile } from "node:fs/promises";
import { Tapedeck, TapedeckError, type Job, type LiveRecording } from "@tapedeck/client";

const client = new Tapedeck();

async function checkout(): Promise<LiveRecording> {
	await using recording = await client.record({ displayId: "${displayId}", name: "Checkout", labels: { suite: "smoke" }, maxDurationSeconds: 300 });
	await recording.mark("Pay is clicked", { kind: "step" });
	recording.outcome = "passed";
	return recording;
}

async function broken(): Promise<void> {
	await using recording = await client.record({ displayId: "${displayId}", name: "Broken" });
	throw new Error("the shop is closed in " + recording.job.name);
}

const recording = await checkout();
const thrown = await broken().catch((error: Error) => error.message);
const [left] = await client.jobs.list({ q: "Broken" }).toArray();
const { job, url } = recording;
const moment = recording.urlAt(new Date(Date.parse(job.startedAt ?? "") + 1500));
const recordingId = job.recording?.id ?? 0;
await writeFile("run.mp4", (await client.recordings.download(recordingId)).body);
const markers = await client.jobs.markers(job.id).toArray();
const { url: page } = await client.recordings.share(recordingId, { expiresAt: null });
const jobs: Job[] = await client.jobs.list({ q: "suite:smoke" }).toArray();
const [runner] = await client.runners.list().toArray(1);
const failure = await client.jobs.get(999).catch((error: unknown) => error);
const code: string = failure instanceof TapedeckError ? failure.code : "none";
const found = runner?.displays.find(({ id }) => id === job.displayId);
console.log(JSON.stringify({ job, url, moment, markers, page, jobs: jobs.length, display: found, code, thrown, left: left?.status }));

// @ts-expect-error a stop condition has its own fields
void client.jobs.create.bind(client.jobs, { stopCondition: "duration", stopConditionConfig: { gridUrl: "" } });
`;

const TSCONFIG = {
	compilerOptions: {
		...{ target: "ES2022", module: "nodenext", strict: true, outDir: "out", rootDir: "." },
		...{ lib: ["ES2023", "DOM"], types: ["node"], typeRoots: [join(PACKAGE, "../../node_modules/@types")] },
	},
	files: ["script.ts"],
};

test("a script records a display with it, and its video, markers and links are there", async () => {
	await writeFile(join(folder, "script.ts"), script(display.id));
	await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
	const tsc = join(PACKAGE, "node_modules/typescript/bin/tsc");
	await run(process.execPath, [tsc, "-p", folder]).catch(({ stdout }) => expect(stdout).toBe(""));
	const env = { PATH: process.env.PATH ?? "", TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
	const { stdout } = await run(process.execPath, ["out/script.js"], { cwd: folder, env: env as never });
	const { job, url, moment, markers, page, ...rest } = JSON.parse(stdout);
	expect(job).toMatchObject({
		...{ name: "Checkout", labels: { suite: "smoke" }, outcome: "passed", maxDurationSeconds: 300 },
		...{ status: "completed", stopReason: "cancelled", displayId: display.id, recording: { state: "ready" } },
	});
	expect(url).toBe(job.recording.url);
	expect(url).toMatch(/\/recordings\/\d+$/);
	expect(moment).toBe(`${url}?t=1.5`);
	expect(markers).toMatchObject([{ label: "Pay is clicked", kind: "step", offsetSeconds: expect.any(Number) }]);
	expect(page).toContain("/shared/");
	expect(rest).toEqual({
		jobs: 1,
		display: { id: display.id, width: 640, height: 360 },
		code: "not_found",
		thrown: "the shop is closed in Broken",
		left: "completed",
	});
	const video = await probe(await readFile(join(folder, "run.mp4")));
	expect(video).toMatchObject({ width: 640, height: 360, faults: "" });
	expect(video.frames).toBeGreaterThan(0);
});

inExplore(describe)("a script that ends without ending its recording", () => {
	const lost = (name: string, then: string): string => `
import { Tapedeck } from "@tapedeck/client";
const client = new Tapedeck();
const [runner] = await client.runners.list().toArray(1);
const recording = await client.record({ runnerId: runner.id, displayId: "${display.id}", name: "${name}" });
console.log("It records.");
${then}
`;
	test.each([
		["is terminated", "SIGTERM", "setInterval(() => {}, 1000);"],
		["is interrupted", "SIGINT", "setInterval(() => {}, 1000);"],
		["is killed", "SIGKILL", "setInterval(() => {}, 1000);"],
		["exits", 3, "process.exit(3);"],
	] as const)("that %s: it ends with the outcome error, and the script's status is its own", async (name, status, then) => {
		await writeFile(join(folder, `${status}.mjs`), lost(name, then));
		const env = { PATH: process.env.PATH ?? "", TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
		const child = startChild(process.execPath, [`${status}.mjs`], { cwd: folder, env: env as never });
		await child.says("It records.");
		if (typeof status === "string") child.process.kill(status);
		expect(await child.exited).toBe(status);
		const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
		const [job] = await client.jobs.list({ q: `"${name}"` }).toArray();
		const ended = await client.jobs.wait(job?.id ?? 0, "ended", { timeoutSeconds: 60 });
		expect(ended).toMatchObject({ status: "completed", outcome: "error", maxDurationSeconds: 14_400 });
	});
});

test("it consists of its compiled files and its description, and depends on nothing", async () => {
	expect(packed.filter((path) => !/^dist\/[\w.-]+\.(c?js|d\.c?ts)$/.test(path)).sort()).toEqual([
		...["LICENSE", "README.md", "package.json"],
	]);
	const { stdout: tree } = await run("npm", ["ls", "--all", "--json"], { cwd: folder });
	expect(Object.keys(JSON.parse(tree).dependencies)).toEqual(["@tapedeck/client"]);
	expect(JSON.parse(tree).dependencies["@tapedeck/client"].dependencies).toBeUndefined();
});

test("the packages have the version of the dashboard, whose API their types are of", async () => {
	for (const name of ["typescript", "playwright"]) {
		const { version, dependencies } = JSON.parse(await readFile(join(PACKAGE, "..", name, "package.json"), "utf8"));
		expect(version).toBe(VERSION);
		// Code that the packages share is bundled into each: packages of these names in the public registry are not ours.
		expect(dependencies).toBeUndefined();
	}
});
