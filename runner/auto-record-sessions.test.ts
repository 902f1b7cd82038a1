import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeGrid, startFakeGrid } from "../test/grids/fake-grid.ts";
import { hubStatus, nodeStatus, type StatusSession } from "../test/grids/grid-status.ts";
import { inExplore } from "../test/in-explore.ts";
import type { FakeJob } from "../test/runners/fake-job.ts";
import { probe } from "../test/runners/runner-process.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";
import { until } from "../test/wait.ts";

let grid: FakeGrid;
beforeEach(async () => {
	grid = await startFakeGrid();
	show(null);
});
// Registered before the scene's hooks, so that the scene stops its runners first.
afterEach(() => grid.stop());
const scene = runnerScene({ moves: false });
const { reasonOf } = scene;

/** The status of a node with as many slots as sessions. */
function show(...slots: (StatusSession | null)[]): void {
	grid.respondWith({ kind: "json", body: nodeStatus({ id: "n1", uri: "http://node-1:5555", slots }) });
}
const session = (id: string, capabilities: Record<string, unknown> = {}): StatusSession => ({
	id,
	capabilities: { browserName: "chrome", ...capabilities },
});
const RESERVED = session("reserved");

async function start(): Promise<void> {
	scene.launch({ display: scene.display.id, env: { TAPEDECK_AUTO_RECORD: "session", SE_GRID_URL: grid.url } });
	await scene.runner.says("waiting for sessions");
	await until(() => grid.requests.length > 1, "polls");
}
const jobNumber = (number: number): Promise<FakeJob> =>
	until(
		() => [...scene.dashboard.jobs.values()][number - 1],
		() => `job ${number}:\n${scene.runner.output()}`,
	);
const sessionsOf = (job: FakeJob) =>
	job.reports.flatMap((report) => (report.type === "session_started" ? [report.session.sessionId] : []));

test("each session becomes a recording with its name, and one that follows at once is not missed", async () => {
	await start();
	show(RESERVED);
	await scene.runner.says("is recording");
	// Nothing is known of the session yet, so the dashboard has no job.
	expect(scene.dashboard.jobs.size).toBe(0);
	show(session("a", { "se:name": "login works" }));
	const first = await jobNumber(1);
	expect(first.order).toMatchObject({ name: "login works", stopCondition: "selenium_session" });
	await scene.status(first, "recording");
	// In another slot: where it replaces the first one, that one ends with the first poll without it.
	show(null, session("b", { "tapedeck:name": "Checkout" }));
	const second = await jobNumber(2);
	await scene.status(second, "recording");
	expect(second.order.name).toBe("Checkout");
	await scene.status(first, "completed");
	expect(reasonOf(first)).toBe("session_ended");
	// It begins with the first poll that lists it, and the recording before it ends with the second one without its session.
	expect(scene.runner.output()).toMatch(/"Checkout".* is recorded\..+ ended after /s);
	show(null);
	await scene.status(second, "completed");
	expect([sessionsOf(first), sessionsOf(second)]).toEqual([["a"], ["b"]]);
	const video = await probe(await scene.dashboard.video(first));
	expect(video.faults).toBe("");
	expect(video.frames).toBeGreaterThan(0);
	expect(scene.dashboard.jobs.size).toBe(2);
});

test("sessions that asked not to be recorded, or never began, leave nothing behind", async () => {
	await start();
	show(RESERVED);
	await scene.runner.says("is recording");
	show(session("a", { "tapedeck:record": false }));
	await scene.runner.says("asked not to be recorded");
	show(session("a", { "tapedeck:record": false }), RESERVED);
	await until(async () => (await scene.ffmpegs()).length === 1, "a recording for the reserved slot");
	show(session("a", { "tapedeck:record": false }), null);
	await until(async () => (await scene.ffmpegs()).length === 0, "its end");
	await scene.spoolEmpty();
	expect(scene.dashboard.jobs.size).toBe(0);
});

inExplore(test)("a session that was over at the next poll is not waited for or recorded, but reported", async () => {
	const showSlot = (slot: { lastStarted: string } | null) =>
		grid.respondWith({ kind: "json", body: hubStatus([{ id: "n1", uri: "http://node-1:5555", slots: [slot] }]) });
	showSlot(null);
	await start();
	/** The uses of the slot: the poller of the coverage may have had its first answer after some of them. */
	const uses: string[] = [];
	const seen = await until(
		() => {
			uses.push(new Date().toISOString());
			showSlot({ lastStarted: uses.at(-1) ?? "" });
			return scene.dashboard.seenSessions[0];
		},
		() => `a session for the coverage:\n${scene.runner.output()}`,
	);
	expect(uses.map((at) => `short:n1/slot-0@${at}`)).toContain(seen.sessionId);
	expect(seen.reason).toBe("recording_failed");
	expect(scene.dashboard.jobs.size).toBe(0);
	expect(scene.runner.output()).not.toContain("is recorded");
});

test("sessions of a node that run at the same time are recorded each for itself", async () => {
	await start();
	show(session("a"), session("b"));
	const jobs = [await jobNumber(1), await jobNumber(2)];
	for (const job of jobs) await scene.status(job, "recording");
	// A separate report says which session a recording is of.
	await until(() => jobs.every((job) => sessionsOf(job).length > 0), "both sessions are noted");
	show(session("a"), null);
	const ofB = jobs.find((job) => sessionsOf(job)[0] === "b") as FakeJob;
	const ofA = jobs.find((job) => job !== ofB) as FakeJob;
	await scene.status(ofB, "completed");
	expect([ofA.status, sessionsOf(ofA)]).toEqual(["recording", ["a"]]);
	show(null, null);
	await scene.status(ofA, "completed");
});
