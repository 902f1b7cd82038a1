/** The scene of the screenshots: a team's Tapedeck on a working day, with jobs in every state and real videos. */
import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import type { StopReason } from "@tapedeck/contract/job-status.ts";
import type { JobReportOf } from "@tapedeck/contract/runner-protocol.ts";
import { inDatabase } from "#test/databases/database.ts";
import { type FakeGrid, type GridAnswer, startFakeGrid } from "#test/grids/fake-grid.ts";
import { hubStatus } from "#test/grids/grid-status.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { type Dashboard, startTestDashboard } from "#test/stack.ts";
import { RECORDER } from "#test/videos/make-video.ts";
import { runnerOnline } from "../../bin/setup/dashboard.mjs";
import { startRunner } from "../../bin/setup/demo-runner.mjs";
import { addHeadlessRun, type HeadlessRun } from "./headless-run.ts";
import { openLivelyDisplay } from "./lively-display.ts";
import { BRANCH, recordTestSessions, type TestSession } from "./test-session.ts";
import { addWebhooks } from "./webhooks.ts";

const run = promisify(execFile);
const RUNNER = "ci-linux-01";
const MINUTE_MS = 60_000;
const SCREEN = [
	{ id: ":20", width: 1280, height: 720 },
	{ id: ":21", width: 1920, height: 1080 },
];
/** Recordings of previous days, cut from the real content of the display. */
const EARLIER = [
	...["Login, wrong password", "Search, empty result", "Cart survives reload", "Returns, label print"],
	...["Nightly regression / payments / 3-D Secure challenge, declined card, retried with another one"],
	...["Profile, avatar upload", "Returns, label print", "Newsletter, double opt-in", "Wishlist, shared link"],
	...["Smoke test, release 4.18", "Gift card, partial use", "Address book, 200 entries"],
];

/** The builds that these recordings are of. */
const BUILDS = [
	{ build: "4182", branch: "main", commit: "9f1c2ab", suite: "browser" },
	{ build: "4183", branch: BRANCH, commit: "51e07dd", suite: "browser", team: "checkout" },
] as const;
const OUTCOMES = ["passed", "failed", "passed", "passed", "error"] as const;
/** The reasons of the failures, in turn. */
const MESSAGES = [
	"TimeoutError: Timeout 5000ms exceeded while waiting for the results",
	"Error: the browser was closed",
	"AssertionError: expected a label of one page, got 2",
	"Error: the browser was closed",
	"TimeoutError: Timeout 5000ms exceeded while waiting for the addresses",
];

type Until = NonNullable<Parameters<ScriptedRunner["record"]>[1]>;

/** The intended ends of the jobs, and their actual stop reasons. */
const ENDINGS: ((durationSeconds: number) => { until: Until; stopReason: StopReason })[] = [
	() => ({ until: { stopCondition: "interrupt" }, stopReason: "cancelled" }),
	() => ({
		until: { stopCondition: "selenium_idle", stopConditionConfig: { gridUrl: "https://grid.example.com" } },
		stopReason: "selenium_idle",
	}),
	(durationSeconds) => ({
		until: { stopCondition: "duration", stopConditionConfig: { durationSeconds } },
		stopReason: "duration_elapsed",
	}),
];

export interface Scene {
	dashboard: Dashboard;
	/** Ids of jobs, by their state. */
	jobs: { live: number; failed: number; played: number; queued: number; idle: number };
	/** The recording of the job that was played. */
	recordingId: number;
	/** The job that recorded two sessions of a grid. */
	sessionsId: number;
	/** Failed, with an earlier one of the same test that passed. */
	comparedId: number;
	/** The tests of the last session of several builds. Some of them failed. */
	tests: TestSession;
	/** A failed test of a headless browser, which no job recorded. */
	headless: HeadlessRun;
	stop(): Promise<void>;
}

/** Takes a minute or two. @param say reports the progress. */
export async function setScene(say: (line: string) => void): Promise<Scene> {
	const dashboard = await startTestDashboard();
	const ends: (() => Promise<void>)[] = [() => dashboard.stop()];
	const stop = async () => {
		for (const end of ends.reverse()) await end();
	};
	try {
		const display = await openLivelyDisplay(dashboard.dataDir);
		ends.push(display.stop);
		const settings = { localUrl: dashboard.url, dataDir: dashboard.dataDir, runnerName: RUNNER };
		const runner = startRunner(process.execPath, settings, dashboard, display.id);
		ends.push(() => runner.stop(10_000));
		const runnerId: number = await runnerOnline(runner, settings, dashboard.apiKey, display.id);
		const grid = await startFakeGrid();
		ends.push(() => grid.stop());
		say("Recording the display …");
		const recorded = await record(dashboard, { runnerId, displayId: display.id }, grid);
		const tests = await recordTestSessions(dashboard, runnerId, display);
		say("Filling the list …");
		const others = await fill(dashboard, recorded.played);
		ends.push(others.stop);
		const jobs = { ...recorded, ...others.jobs };
		const live = await dashboard.api.createJob({ ...place(runnerId, display.id), name: "Checkout, main branch" });
		await dashboard.api.waitFor(live.id, "recording");
		const { recording } = await dashboard.api.readJob(recorded.played);
		await addWebhooks(dashboard);
		const sessionsId = (await dashboard.api.readJob(recorded.idle)).recording?.id ?? 0;
		return {
			dashboard,
			jobs: { ...jobs, live: live.id },
			recordingId: recording?.id ?? 0,
			sessionsId,
			comparedId: others.comparedId,
			tests,
			headless: await addHeadlessRun(dashboard),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

const place = (runnerId: number, displayId: string) => ({ runnerId, displayId, stopCondition: "interrupt" }) as const;

/** A grid whose one session has this name. */
const gridWith = (name: string): GridAnswer => {
	const capabilities = { browserName: "chrome", browserVersion: "142.0", "se:name": name, "tapedeck:build": "4183" };
	const slots = [{ id: name.replaceAll(" ", "-"), capabilities }];
	return { kind: "json", body: hubStatus([{ id: "node-1", uri: "http://node-1:5555", slots }]) };
};

async function record({ api }: Dashboard, at: { runnerId: number; displayId: string }, grid: FakeGrid) {
	grid.respondWith(gridWith("login works"));
	const idle = await api.createJob({
		...at,
		name: "Grid session, Chrome 142",
		stopCondition: "selenium_idle",
		stopConditionConfig: { gridUrl: grid.url },
	});
	const played = await api.createJob({
		...at,
		name: "Checkout, nightly",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 34 },
	});
	await api.waitFor(played.id, "recording");
	const step = (label: string, kind: "step" | "pass" | "fail" | "note") =>
		api.call("POST", `/v1/jobs/${played.id}/markers`, { label, kind });
	for (const [seconds, label, kind] of [
		[2, "Opens the shop", "step"],
		[4, "Cart holds three things", "pass"],
		[5, "Goes to the checkout", "step"],
		[10, "Order 20417 is placed", "pass"],
		[5, "Second customer", "note"],
	] as const) {
		await new Promise((next) => setTimeout(next, seconds * 1000));
		await step(label, kind);
		if (label === "Goes to the checkout") grid.respondWith(gridWith("checkout as a guest"));
	}
	grid.respondWith({ kind: "sessions", count: 0 });
	await api.waitFor(idle.id, "playable");
	await api.waitFor(played.id, "playable");
	return { idle: idle.id, played: played.id };
}

/** Jobs of other runners, in every state that there is. */
async function fill(dashboard: Dashboard, played: number) {
	const { api } = dashboard;
	const clips = await cutClips(dashboard, played);
	const lab = await scriptRunner(dashboard, "grid-eu-west", SCREEN);
	const away = await scriptRunner(dashboard, "lab-bench-07", SCREEN.slice(0, 1));
	const removed = await scriptRunner(dashboard, "old-mac-mini", SCREEN.slice(0, 1));
	await finish(removed, "Before the move", clips[0]);
	const earlier: number[] = [];
	for (const [index, name] of EARLIER.entries()) {
		const clip = clips[index % clips.length];
		earlier.push(await finish(lab, name, clip, ENDINGS[index % ENDINGS.length]?.(clip?.seconds ?? 0)));
	}
	const black = await finish(away, "Screensaver was on", await blackClip(dashboard), { verdict: "black" });
	const failed = await finish(lab, "Payment provider, retry", clips[2], {
		stopReason: "display_lost",
		message: "The display :20 disappeared.",
	});
	inDatabase(dashboard, (database) => ageAll(database, black));
	const messages = MESSAGES.values();
	for (const [index, id] of earlier.entries()) {
		const outcome = OUTCOMES[index % OUTCOMES.length];
		if (outcome !== "passed") {
			const message = messages.next().value ?? "";
			const { recording } = await api.readJob(id);
			await api.call("POST", `/v1/recordings/${recording?.id}/markers`, {
				...{ label: message, message, kind: "fail", offsetSeconds: 4.2 },
			});
		}
		await api.call("PATCH", `/v1/jobs/${id}`, { labels: BUILDS[index < 4 ? 0 : 1], outcome });
	}
	const comparedId = await compareReturns(dashboard, earlier);
	const refused = await lab.record("Kiosk, second screen");
	await lab.report(refused, {
		type: "failed",
		code: "storage_full",
		message: "The runner's disk is full. Free some space in its data directory, then start the job again.",
	});
	const dropped = await api.createJob({ ...place(away.runnerId, ":20"), name: "Started twice by mistake" });
	await api.cancelJob(dropped.id);
	const upload = await lab.record("Search, typo tolerance");
	if (clips[3] !== undefined) await lab.send(upload, 0, clips[3].bytes.subarray(0, 60_000));
	await lab.report(upload, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await removed.stop();
	await away.stop();
	await api.call("DELETE", `/v1/runners/${removed.runnerId}`);
	const queued = await api.createJob({ ...place(away.runnerId, ":20"), name: "Firmware update, bench 7" });
	return { jobs: { failed, queued: queued.id }, comparedId, stop: () => lab.stop() };
}

/** Marks the two recordings of one test, the later one of which failed. @returns the id of that one. */
async function compareReturns({ api }: Dashboard, earlier: readonly number[]): Promise<number> {
	const [passed = 0, failed = 0] = earlier.filter((_id, index) => EARLIER[index] === "Returns, label print");
	const idOf = async (jobId: number) => (await api.readJob(jobId)).recording?.id ?? 0;
	const [passedId, failedId] = [await idOf(passed), await idOf(failed)];
	const mark = (id: number, offsetSeconds: number, label: string, kind: string) =>
		api.call("POST", `/v1/recordings/${id}/markers`, { label, offsetSeconds, kind });
	await mark(passedId, 1, "Chooses what to return", "step");
	await mark(passedId, 3.5, "The label has one page", "pass");
	await mark(failedId, 1.4, "Chooses what to return", "step");
	return failedId;
}

interface Clip {
	seconds: number;
	bytes: Buffer;
	pictures: { at: number; jpeg: Buffer }[];
}

/** Six parts of the recorded video, encoded like a runner's, with pictures for scrubbing. */
async function cutClips({ url, apiKey, dataDir }: Dashboard, played: number): Promise<Clip[]> {
	const folder = join(dataDir, "clips");
	await mkdir(folder);
	const { recording } = await (
		await fetch(`${url}/v1/jobs/${played}`, { headers: { authorization: `Bearer ${apiKey}` } })
	).json();
	const input = ["-headers", `Authorization: Bearer ${apiKey}\r\n`, "-i", `${url}/v1/recordings/${recording.id}/video`];
	const clips: Clip[] = [];
	for (let index = 0; index < 6; index += 1) {
		const [from, seconds] = [index * 4.5, 5 + index];
		clips.push(await encode(join(folder, String(index)), ["-ss", String(from), ...input], seconds));
	}
	return clips;
}

const blackClip = ({ dataDir }: Dashboard): Promise<Clip> =>
	encode(join(dataDir, "clips", "black"), ["-f", "lavfi", "-i", "color=black:s=1280x720:r=15"], 6);

/** Encodes like a runner. @param input ffmpeg's input arguments. */
async function encode(path: string, input: string[], seconds: number): Promise<Clip> {
	const [video, still] = [`${path}.mp4`, `${path}.jpg`];
	await run("ffmpeg", ["-v", "error", "-y", ...input, "-t", String(seconds), ...RECORDER, video]);
	await run("ffmpeg", ["-v", "error", "-y", "-ss", "1", "-i", video, "-frames:v", "1", "-vf", "scale=640:-2", still]);
	return { seconds, bytes: await readFile(video), pictures: [{ at: 0, jpeg: await readFile(still) }] };
}

/** A job of a scripted runner from its first byte to its end. @returns its id. */
async function finish(
	runner: ScriptedRunner,
	name: string,
	clip: Clip | undefined,
	{
		until,
		...how
	}: { until?: Until } & Partial<Pick<JobReportOf<"stopped">, "stopReason" | "message" | "verdict">> = {},
): Promise<number> {
	if (clip === undefined) throw new Error("there is no such clip");
	const id = await runner.record(name, until);
	await runner.send(id, 0, clip.bytes, clip.bytes.length);
	for (const { at, jpeg } of clip.pictures) await runner.picture(id, at, jpeg);
	await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok", ...how });
	return id;
}

/** Spreads the data over the previous days, like a list in use. */
function ageAll(database: DatabaseSync, upTo: number): void {
	const moved = "? * (? - id) * (? - id)";
	const by = [7 * MINUTE_MS, upTo + 3, upTo + 3];
	const jobs = ["createdAt", "startedAt", "stoppedAt", "endedAt", "cancelRequestedAt"];
	database
		.prepare(`UPDATE job SET ${jobs.map((column) => `${column} = ${column} - ${moved}`).join(", ")} WHERE id <= ?`)
		.run(...jobs.flatMap(() => by), upTo);
	database
		.prepare(
			`UPDATE recording SET createdAt = createdAt - ? * (? - jobId) * (? - jobId) WHERE jobId IS NOT NULL AND jobId <= ?`,
		)
		.run(...by, upTo);
	database.prepare(`UPDATE jobEvent SET at = at - ? * (? - jobId) * (? - jobId) WHERE jobId <= ?`).run(...by, upTo);
	database.prepare(`UPDATE marker SET at = at - ? * (? - jobId) * (? - jobId) WHERE jobId <= ?`).run(...by, upTo);
	ageResults(database, (jobId) => (jobId <= upTo ? 7 * MINUTE_MS * (upTo + 3 - jobId) ** 2 : 0));
}

/** @param ageOf milliseconds that a job is older than it is, by its id. */
function ageResults(database: DatabaseSync, ageOf: (jobId: number) => number): void {
	const times = ["startedAt", "endedAt", "momentAt", "failedAt", "createdAt"];
	const change = database.prepare(
		`UPDATE testResult SET ${times.map((column) => `${column} = ${column} - ?`).join(", ")}, steps = ? WHERE id = ?`,
	);
	for (const { id, jobId, steps } of database.prepare("SELECT id, jobId, steps FROM testResult").all()) {
		const age = ageOf(Number(jobId));
		const text = steps?.toString().replace(/"startedAt":(\d+)/g, (_, at) => `"startedAt":${Number(at) - age}`);
		change.run(...times.map(() => age), text ?? null, Number(id));
	}
	const edge = (which: string) => `(SELECT ${which}(startedAt) FROM testResult WHERE testId = test.id)`;
	database.exec(`UPDATE test SET firstAt = ${edge("min")}, lastAt = ${edge("max")}`);
}
