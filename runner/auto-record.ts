/**
 * Recording without an API call: a job starts when the runner starts; with a grid, every later session starts
 * the next one. Asks nobody: the dashboard hears of the job when it can be reached.
 */
import { randomUUID } from "node:crypto";
import type { StopReason } from "#lib/contract/job.ts";
import type { AutoRecordConfig } from "./config/config.ts";
import { type DisplayName, displayIdOf } from "./displays/display-name.ts";
import type { Displays } from "./displays/displays.ts";
import type { AllowedGrids } from "./grid/allowed-grids.ts";
import { GridPoller } from "./grid/poll.ts";
import { watchGrid } from "./grid/watch.ts";
import type { RunnerLog } from "./log.ts";
import type { JobOptions, JobRun } from "./run-job.ts";
import type { JobOrder } from "./spool.ts";
import { pause } from "./base/wait.ts";

const DISPLAY_LOOK_MS = 60_000;
/** Before it records again after an end that nobody wanted. */
const RETRY_MS = 5_000;

export interface AutoRecordTools {
	config: AutoRecordConfig;
	display: DisplayName | null;
	allowedGrids: AllowedGrids;
	displays: Displays;
	log: RunnerLog;
	start(order: JobOrder, options: JobOptions): Promise<JobRun>;
	/** An auto-record job that an earlier life of the runner left recording. */
	surviving(): JobRun | undefined;
}

/** Runs until the signal says enough, or until the recording was cancelled and there is no grid to wait for. */
export async function autoRecord(tools: AutoRecordTools, leaving: AbortSignal): Promise<void> {
	const { config, log } = tools;
	let run = tools.surviving();
	let sessionSeen = false;
	while (!leaving.aborted) {
		if (run === undefined) {
			const displayId = await findDisplay(tools, leaving);
			if (displayId === null) return;
			log.info(`Auto-record starts on ${displayId}.`);
			run = await tools.start(orderOf(config, displayId), { gridPassword: config.grid?.password, sessionSeen });
		}
		const reason = await run.ending;
		const ended = run;
		run = undefined;
		if (leaving.aborted) return;
		if (config.grid === null) {
			if (reason === "cancelled") {
				log.info("Auto-record was cancelled; start the runner again to record again.");
				return;
			}
			await ended.finished;
			await pause(RETRY_MS, leaving);
			continue;
		}
		await waitForSession(tools, reason, leaving);
		sessionSeen = true;
	}
}

/** Reasons after which a session that is still open is not worth a new recording at once. */
const needsNewSession = (reason: StopReason): boolean => reason === "cancelled" || reason === "selenium_idle";

/** Resolves at the first poll of the session that starts the next recording. */
async function waitForSession(tools: AutoRecordTools, reason: StopReason, leaving: AbortSignal): Promise<void> {
	const { config, log } = tools;
	if (config.grid === null) return;
	if (!needsNewSession(reason)) await pause(RETRY_MS, leaving);
	if (leaving.aborted) return;
	log.info("Auto-record is armed: the next session of the grid starts the next recording.");
	const poller = new GridPoller(config.grid, tools.allowedGrids);
	const found = new AbortController();
	// After a cancel the session that was there must go first; an idle stop has seen that already.
	let armed = reason !== "cancelled";
	await watchGrid(
		poller,
		({ seen }) => {
			if (seen.kind !== "count") return;
			if (seen.active === 0) armed = true;
			else if (armed) found.abort();
		},
		AbortSignal.any([leaving, found.signal]),
	);
	poller.close();
}

/** The display to record, once it is there; null when the runner goes first. */
async function findDisplay(tools: AutoRecordTools, leaving: AbortSignal): Promise<string | null> {
	const { display, displays, log } = tools;
	let told = false;
	while (!leaving.aborted) {
		const id = display === null ? displays.list()[0]?.id : displayIdOf(display);
		if (id !== undefined && (await displays.waitFor(id, told ? DISPLAY_LOOK_MS : 0, leaving))) {
			if (display === null) log.warn(`DISPLAY is not set: auto-record takes ${id}. Set it to record another one.`);
			return id;
		}
		if (!told)
			log.warn(`Auto-record waits for ${id === undefined ? "a display" : `display ${id}`}; start its X server.`);
		told = true;
		if (id === undefined) await pause(500, leaving);
	}
	return null;
}

function orderOf(config: AutoRecordConfig, displayId: string): JobOrder {
	const { grid, jobName } = config;
	const base = { key: randomUUID(), displayId, name: jobName, at: new Date().toISOString() };
	const order = { id: null, displayId, name: jobName ?? `Auto-record of ${displayId}` };
	if (grid === null) {
		const auto = { ...base, stopCondition: "interrupt" as const, stopConditionConfig: {} };
		return { ...order, auto, stopCondition: "interrupt", stopConditionConfig: {} };
	}
	const config_ = {
		gridUrl: grid.url,
		...(grid.username === undefined ? {} : { gridUsername: grid.username }),
		firstSessionTimeoutSeconds: config.firstSessionTimeoutSeconds,
	};
	const auto = { ...base, stopCondition: "selenium_idle" as const, stopConditionConfig: config_ };
	const password = grid.password === undefined ? {} : { gridPassword: grid.password };
	return { ...order, auto, stopCondition: "selenium_idle", stopConditionConfig: { ...config_, ...password } };
}
