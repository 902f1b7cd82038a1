/**
 * The setup of a runner's tests: one display for the whole file, and for every test its own fake dashboard and folder.
 * After a test, its runners must have left no process behind.
 */
import { join } from "node:path";
import type { JobStatus, StopReason } from "@tapedeck/contract/job-status.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startXvfb, type VirtualDisplay, type XvfbOptions } from "../displays/xvfb.ts";
import type { Child } from "../processes/child.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../wait.ts";
import { FakeDashboard } from "./fake-dashboard.ts";
import type { FakeJob } from "./fake-job.ts";
import { nothingLeft, processesWith, type RunnerSettings, spooled, startRunner } from "./runner-process.ts";

export interface RunnerScene {
	readonly display: VirtualDisplay;
	readonly dashboard: FakeDashboard;
	/** A folder for files of the test; deleted with everything in it. */
	readonly folder: string;
	/** The data directory of runners, in the folder; created by the first one. */
	readonly dataDir: string;
	/** The runner that was started last. */
	readonly runner: Child;
	/** Starts a runner. */
	launch(settings?: Partial<RunnerSettings>): Child;
	/** Starts a runner and waits until it has signed in. */
	start(settings?: Partial<RunnerSettings>): Promise<Child>;
	/** Kills the last runner, like a crash. */
	kill(): Promise<void>;
	/** Creates a job that records until it is cancelled. */
	interrupt(displayId?: string, video?: VideoOptions): FakeJob;
	/** Creates a job of that length. */
	duration(durationSeconds: number, displayId?: string, video?: VideoOptions): FakeJob;
	status(job: FakeJob, wanted: JobStatus, timeoutMs?: number): Promise<unknown>;
	/** Why the recording of a job ended, as its runner reported it. */
	reasonOf(job: FakeJob): StopReason | undefined;
	/** Pids of the encoders in the data directory. */
	ffmpegs(): Promise<number[]>;
	/** Waits until everything is delivered. */
	spoolEmpty(): Promise<unknown>;
}

export interface SceneOptions {
	/** Null if the tests need none, or start their own. */
	display?: XvfbOptions | null;
	/** Whether the display shows a moving picture. */
	moves?: boolean;
}

/** Registers the hooks of the file, or of the `describe`, that calls it. */
export function runnerScene({ display: screen = {}, moves = true }: SceneOptions = {}): RunnerScene {
	let display: VirtualDisplay | undefined;
	let dashboard: FakeDashboard;
	let folder: string;
	let launched: { runner: Child; dataDir: string }[] = [];

	if (screen !== null) {
		beforeAll(async () => {
			display = await startXvfb(screen);
			if (moves) await display.move();
		});
		afterAll(() => display?.stop());
	}
	beforeEach(async () => {
		launched = [];
		dashboard = await FakeDashboard.start();
		folder = await temporaryFolder("runner");
	});
	afterEach(async () => {
		for (const { runner } of launched) await runner.stop();
		for (const text of new Set([folder, ...launched.map(({ dataDir }) => dataDir)])) await nothingLeft(text);
		await dashboard.stop();
	});

	const scene: RunnerScene = {
		get display() {
			if (display === undefined) throw new Error("This scene has no display; start one.");
			return display;
		},
		get dashboard() {
			return dashboard;
		},
		get folder() {
			return folder;
		},
		get dataDir() {
			return join(folder, "data");
		},
		get runner() {
			const last = launched.at(-1);
			if (last === undefined) throw new Error("No runner was started in this test.");
			return last.runner;
		},
		launch(settings) {
			const whole = { url: dashboard.url, dataDir: scene.dataDir, ...settings };
			const runner = startRunner(whole);
			launched.push({ runner, dataDir: whole.dataDir });
			return runner;
		},
		async start(settings) {
			const runner = scene.launch(settings);
			await runner.says("Connected to");
			return runner;
		},
		async kill() {
			scene.runner.process.kill("SIGKILL");
			await scene.runner.exited;
		},
		interrupt: (displayId = scene.display.id, video) =>
			dashboard.order(displayId, { stopCondition: "interrupt", stopConditionConfig: {}, video }),
		duration: (durationSeconds, displayId = scene.display.id, video) =>
			dashboard.order(displayId, { stopCondition: "duration", stopConditionConfig: { durationSeconds }, video }),
		status: (job, wanted, timeoutMs) =>
			until(
				() => job.status === wanted,
				() => `the job is ${wanted}, it is ${job.status}:\n${launched.at(-1)?.runner.output()}`,
				timeoutMs,
			),
		reasonOf: (job) => job.reports.find((report) => report.type === "stopped")?.stopReason,
		ffmpegs: () => processesWith(join(scene.dataDir, "jobs")),
		spoolEmpty: () => until(async () => (await spooled(scene.dataDir)).length === 0, "the spool is empty"),
	};
	return scene;
}
