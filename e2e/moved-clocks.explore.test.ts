/**
 * Clients on machines whose clock is wrong: real processes under libfaketime, against a dashboard whose clock is right.
 * Similar tests of Playwright, of pytest (clients/python/tests) and of `tapedeck run` are with their other tests.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Marker } from "@tapedeck/contract/marker.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { type SettableClock, settableClock } from "#test/displays/clock.ts";
import { startChild } from "#test/processes/child.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { firstFrame, protocolRunner } from "#test/runners/protocol-runner.ts";
import { until } from "#test/wait.ts";

let api: TestApi;
let folder: string;
let clock: SettableClock;
beforeAll(async () => {
	[api, folder] = await Promise.all([startTestApi(), mkdtemp(join(tmpdir(), "tapedeck-clocks-"))]);
	clock = await settableClock(folder);
	await writeFile(join(folder, "script.mjs"), SCRIPT);
});
afterAll(async () => {
	await api.stop();
	await rm(folder, { recursive: true });
});
const runner = protocolRunner(() => api);

/** Reads a word a line. Each names a moment: that at which it has arrived. */
const SCRIPT = `
import { createInterface } from "node:readline";
import { Tapedeck } from "${new URL("../clients/typescript/src/index.ts", import.meta.url)}";

const jobId = Number(process.argv[2]);
const client = new Tapedeck();
// A recording has had several answers before its first frame.
for (let call = 0; call < 3; call++) await client.jobs.get(jobId);
const recording = client.resume(await client.jobs.get(jobId));
const say = (answer) => console.log(JSON.stringify(answer));
say({ ready: true });
for await (const word of createInterface({ input: process.stdin })) {
	const at = new Date();
	if (word === "now") say(await recording.mark(word));
	else if (word === "at") say(await recording.mark(word, { at }));
	else if (word === "first call") say(await new Tapedeck().jobs.addMarker(jobId, { label: word, at }));
	else if (word === "batch") say((await client.jobs.addMarkers(jobId, [{ label: word, at }]))[0]);
	else if (word === "link") say({ link: recording.urlAt(at) });
	else if (word === "held") {
		const other = new Tapedeck();
		await other.request("GET", "/v1/jobs/" + jobId, { query: { waitFor: "ended", timeoutSeconds: 4 } });
		say({ at: other.dashboardTime(new Date()) });
	} else if (word === "late") {
		await new Promise((resolve) => setTimeout(resolve, 2_500));
		say(await recording.mark(word, { at }));
	}
}
recording.detach();
`;

/** A job that has been recorded for 100 s. */
async function recordedJob(): Promise<{ id: number; startedAt: number }> {
	const { id } = await runner.startJob();
	const startedAt = Date.now() - 100_000;
	await runner.report(id, { ...firstFrame, at: new Date(startedAt).toISOString() });
	await runner.storeRecording(id, "live");
	return { id, startedAt };
}

/** A marker of a live recording, whose moments are all known. */
interface Answer extends Marker {
	at: string;
	offsetSeconds: number;
	link: string;
}

async function startScript(jobId: number) {
	const env = { ...process.env, ...clock.env, TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
	const child = startChild(process.execPath, [join(folder, "script.mjs"), String(jobId)], {
		env: env as NodeJS.ProcessEnv,
		stdio: ["pipe", "pipe", "pipe"],
	});
	onTestFinished(() => void child.stop());
	await child.says("ready");
	let read = child.output().length;
	return async (word: string) => {
		const from = Date.now();
		child.process.stdin?.write(`${word}\n`);
		const line = await until(() => {
			if (child.process.exitCode !== null) throw new Error(child.output());
			const text = child.output().slice(read);
			return text.includes("\n") ? text : null;
		}, `the script answers "${word}"`);
		read = child.output().length;
		return { from, to: Date.now(), answer: JSON.parse(line) as Answer };
	};
}

/** Expects a time within a second of the span, however long the response took on a busy machine. */
function expectWithin(at: number, { from, to }: { from: number; to: number }): void {
	expect(at - from).toBeGreaterThan(-1_000);
	expect(at - to).toBeLessThan(1_000);
}
const secondOf = (link: string): number => Number(/\?t=([\d.]+)$/.exec(link)?.[1]);

describe.each([
	["30 s ahead", 30],
	["30 s behind", -30],
	["0.4 s ahead", 0.4],
	["right", 0],
])("on a machine whose clock is %s", (_what, seconds) => {
	test("markers and links of the TypeScript client are at the true moment", async () => {
		const job = await recordedJob();
		await clock.set(seconds);
		const say = await startScript(job.id);
		for (const word of ["now", "at", "first call", "batch"]) {
			const { answer, ...during } = await say(word);
			expectWithin(Date.parse(answer.at), during);
			expectWithin(job.startedAt + answer.offsetSeconds * 1_000, during);
		}
		const { answer, ...during } = await say("link");
		expectWithin(job.startedAt + secondOf(answer.link) * 1_000, during);
	});

	test("tapedeck mark --at is that moment", async () => {
		const job = await recordedJob();
		await clock.set(seconds);
		const env = { ...clock.env, TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
		const at = Date.now() - 500;
		const local = new Date(at + seconds * 1_000).toISOString();
		const answer = await tapedeck(["mark", "Pay", "--job", String(job.id), "--at", local, "--json"], env);
		expect(answer.status, answer.text).toBe(0);
		expectWithin(Date.parse(answer.data<Answer>().at), { from: at, to: at });
	});
});

test("a marker has the time at which it was made, however late it is sent", async () => {
	const job = await recordedJob();
	await clock.set(-30);
	const { answer, from, to } = await (await startScript(job.id))("late");
	expectWithin(Date.parse(answer.at), { from, to: to - 2_500 });
});

test("a call that the dashboard holds tells its time as exactly as any other", async () => {
	const job = await recordedJob();
	await clock.set(1.6);
	const { answer, from, to } = await (await startScript(job.id))("held");
	expectWithin(Date.parse(answer.at), { from: from + 4_000, to });
});

test("a time of a clock that is right is sent as it is, and one that is no time too", async () => {
	const job = await recordedJob();
	const env = { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
	const mark = (at: string) => tapedeck(["mark", "Pay", "--job", String(job.id), "--at", at, "--json"], env);
	const at = new Date(Date.now() - 50_000).toISOString();
	expect((await mark(at)).data()).toMatchObject({ at });
	expect((await mark("yesterday")).data()).toMatchObject({ error: { code: "validation_failed" } });
});

test("a clock that is set while a script runs changes no moment", async () => {
	const job = await recordedJob();
	await clock.set(0);
	const say = await startScript(job.id);
	for (const seconds of [0, 3_600, -40, 0]) {
		await clock.set(seconds);
		for (const word of ["link", "at", "now"]) {
			const { answer, ...during } = await say(word);
			const at = word === "link" ? job.startedAt + secondOf(answer.link) * 1_000 : Date.parse(answer.at);
			expectWithin(at, during);
		}
	}
});

test("an answer, an error too, has the time at which it was given, and for how long the call was held", async () => {
	for (const [path, status] of [
		["/v1/health", 200],
		["/v1/jobs", 200],
		["/v1/jobs/999999", 404],
	] as const) {
		const from = Date.now();
		const answer = await api.call("GET", path);
		expect(answer.status).toBe(status);
		const [, text = "", held] = /^(.+); dur=(\d+)$/.exec(answer.headers.get("tapedeck-time") ?? "") ?? [];
		const time = Date.parse(text);
		expect(Number(held)).toBeLessThanOrEqual(Date.now() - from + 1);
		expect(time).toBeGreaterThanOrEqual(from);
		expect(time).toBeLessThanOrEqual(Date.now());
	}
});
