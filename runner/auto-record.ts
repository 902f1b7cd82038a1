/**
 * Recording without an API call: a job starts with the runner; with a grid, every later session starts another one. The
 * dashboard need not be reachable: it learns of the job later.
 */
import { randomUUID } from "node:crypto";
import type { StopReason } from "@tapedeck/contract/job-status.ts";
import type { RunnerLog } from "./base/log.ts";
import { aborted, pause } from "./base/wait.ts";
import type { AutoRecordConfig } from "./config/config.ts";
import { type DisplayName, displayIdOf } from "./displays/display-name.ts";
import type { Displays } from "./displays/displays.ts";
import type { AllowedGrids } from "./grid/allowed-grids.ts";
import { GridPoller, watchGrid } from "./grid/poll.ts";
import type { JobOptions, JobRun } from "./run-job.ts";
import type { JobOrder } from "./spool/spool.ts";

const DISPLAY_WAIT_MS = 60_000;
/** Pause before recording again after an unexpected end. */
const RETRY_MS = 5_000;

export interface AutoRecordTools {
	config: AutoRecordConfig;
	display: DisplayName | null;
	allowedGrids: AllowedGrids;
	displays: Displays;
	log: RunnerLog;
	start(order: JobOrder, options: JobOptions): Promise<JobRun>;
	/** An auto-record job that a previous process left running. */
	surviving(): JobRun | undefined;
	/** Whether a recording of this session is running, possibly of a previous process. */
	isRecording(sessionId: string): boolean;
}

/** Runs until `shutdown` aborts, or until the recording is cancelled and there is no grid to wait for. */
export async function autoRecord(tools: AutoRecordTools, shutdown: AbortSignal): Promise<void> {
	const { config, log } = tools;
	let run = tools.surviving();
	let sessionSeen = false;
	while (!shutdown.aborted) {
		if (run === undefined) {
			const displayId = await findDisplay(tools, shutdown);
			if (displayId === null) return;
			log.info(`Auto-record started on ${displayId}.`);
			run = await tools.start(orderOf(config, displayId), { gridPassword: config.grid?.password, sessionSeen });
		}
		const reason = await run.stopReason;
		const ended = run;
		run = undefined;
		if (shutdown.aborted) return;
		if (config.grid === null) {
			if (reason === "cancelled") {
				log.info("Auto-record was cancelled; start the runner again to record again.");
				return;
			}
			// While the dashboard is away, delivering takes until it is back; only a full disk has to wait for that.
			const isOver = reason === "storage_full" ? [] : [ended.captured];
			await Promise.race([...isOver, ended.finished, aborted(shutdown)]);
			await pause(RETRY_MS, shutdown);
			continue;
		}
		await waitForSession(tools, reason, shutdown);
		sessionSeen = true;
	}
}

/** Reasons after which a session that is still open must not start a new recording. */
const needsNewSession = (reason: StopReason): boolean => reason === "cancelled" || reason === "selenium_idle";

/** Resolves at the first poll that sees the session for the next recording. */
async function waitForSession(tools: AutoRecordTools, reason: StopReason, shutdown: AbortSignal): Promise<void> {
	const { config, log } = tools;
	if (config.grid === null) return;
	if (!needsNewSession(reason)) await pause(RETRY_MS, shutdown);
	if (shutdown.aborted) return;
	log.info("Auto-record is waiting for the next session of the grid.");
	const poller = new GridPoller(config.grid, tools.allowedGrids);
	const found = new AbortController();
	// After a cancel, the current session must end first. An idle stop has already seen it end.
	let armed = reason !== "cancelled";
	let warned: string | null = null;
	await watchGrid(
		poller,
		({ seen }) => {
			if (seen.kind === "unknown" && seen.node !== undefined && seen.why !== warned) {
				warned = seen.why;
				log.warn(`Auto-record cannot see the sessions of its node (TAPEDECK_GRID_NODE): ${seen.why}. Retrying.`);
			}
			if (seen.kind !== "count") return;
			if (seen.active === 0) armed = true;
			else if (armed) found.abort();
		},
		AbortSignal.any([shutdown, found.signal]),
	);
	poller.close();
}

/** Waits for the display to record; null when the runner shuts down first. */
export async function findDisplay(tools: AutoRecordTools, shutdown: AbortSignal): Promise<string | null> {
	const { display, displays, log } = tools;
	let warned = false;
	while (!shutdown.aborted) {
		const id = display === null ? displays.list()[0]?.id : displayIdOf(display);
		if (id !== undefined && (await displays.waitFor(id, warned ? DISPLAY_WAIT_MS : 0, shutdown))) {
			if (display === null)
				log.warn(`DISPLAY is not set, so auto-record records ${id}. Set it to record another display.`);
			return id;
		}
		if (!warned)
			log.warn(`Auto-record is waiting for ${id === undefined ? "a display" : `display ${id}`}; start its X server.`);
		warned = true;
		if (id === undefined) await pause(500, shutdown);
	}
	return null;
}

function orderOf({ grid, jobName, firstSessionTimeoutSeconds }: AutoRecordConfig, displayId: string): JobOrder {
	const order = {
		id: null,
		key: randomUUID(),
		origin: "auto-record" as const,
		displayId,
		name: jobName ?? `Auto-record of ${displayId}`,
		named: jobName !== undefined,
	};
	if (grid === null) return { ...order, stopCondition: "interrupt", stopConditionConfig: {} };
	const idleConfig = {
		gridUrl: grid.url,
		...(grid.username === undefined ? {} : { gridUsername: grid.username }),
		...(grid.password === undefined ? {} : { gridPassword: grid.password }),
		...(grid.node === undefined ? {} : { gridNode: grid.node }),
		firstSessionTimeoutSeconds,
	};
	return { ...order, stopCondition: "selenium_idle", stopConditionConfig: idleConfig };
}
