/** What commands on the runner's machine can read and do. */
import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { basename } from "node:path";
import { isFailedReason } from "#lib/contract/job-status.ts";
import { messageOf } from "../base/fault.ts";
import { INSTALLATION, OWN_VERSION } from "../base/installation.ts";
import { pause } from "../base/wait.ts";
import type { Connection } from "../dashboard/connection.ts";
import type { Displays } from "../displays/displays.ts";
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import type { JobRun } from "../run-job.ts";
import type { JobOrder, JobSpool } from "../spool/spool.ts";
import {
	type CommandResult,
	type ControlFault,
	type ControlStatus,
	FINAL_STATES,
	HELD_MS,
	type LocalRecording,
	type LocalState,
	type RecordOrder,
	type StopAnswer,
	type StopOrder,
} from "./messages.ts";

const REMEMBERED = 100;
const DISPLAY_WAIT_MS = 1_000;
const POLL_MS = 50;
const LEAVE_POLL_MS = 200;

/** A command that the runner refuses. */
export class RefusedOrder extends Error {
	override name = "RefusedOrder";
	readonly fault: ControlFault;

	constructor(fault: ControlFault) {
		super(messageOf(fault));
		this.fault = fault;
	}
}

export interface ControlTools {
	name: string;
	dataDir: string;
	allowedGrids: AllowedGrids;
	displays: Displays;
	connection: Connection;
	/** Aborted when the runner has been asked to stop. */
	leaving: AbortSignal;
	begin(order: JobOrder): Promise<JobRun>;
	/** Stops the runner. */
	leave(): void;
	/** See Agent.restartWhenIdle. */
	restartWhenIdle(): void;
	/** Recordings that are kept for another dashboard, by key. */
	setAside(): ReadonlyMap<string, JobSpool>;
	/** Delivers it to this dashboard, as a new job. */
	adopt(spool: JobSpool): Promise<void>;
	/** Deletes it from the disk. */
	discard(spool: JobSpool): Promise<void>;
}

export class ControlService {
	readonly #tools: ControlTools;
	readonly #startedAt = new Date().toISOString();
	readonly #runs = new Map<string, JobRun>();
	/** How the latest recordings ended, for commands that ask a moment later. */
	readonly #finished = new Map<string, LocalRecording>();

	constructor(tools: ControlTools) {
		this.#tools = tools;
	}

	/** Makes a job visible to commands. */
	add(run: JobRun): void {
		const key = basename(run.spool.folder);
		this.#runs.set(key, run);
		void run.finished.then(async () => {
			this.#finished.set(key, await this.#recordingOf(run, outcomeOf(run)));
			this.#runs.delete(key);
			for (const oldest of this.#finished.keys()) {
				if (this.#finished.size <= REMEMBERED) break;
				this.#finished.delete(oldest);
			}
		});
	}

	async status(): Promise<ControlStatus> {
		const { name, dataDir, allowedGrids, displays, connection, leaving } = this.#tools;
		const disk = await statfs(dataDir).catch(() => null);
		return {
			name,
			version: OWN_VERSION,
			pid: process.pid,
			dataDir,
			startedAt: this.#startedAt,
			ending: leaving.aborted,
			dashboard: connection.state,
			displays: displays.list(),
			refused: displays.refused(),
			allowed: displays.allowed,
			allowedGrids: allowedGrids.words,
			recordings: await Promise.all([...this.#runs.values()].map((run) => this.#recordingOf(run))),
			setAside: [...this.#tools.setAside().keys()],
			freeBytes: disk === null ? null : disk.bavail * disk.bsize,
		};
	}

	/** Starts a recording at once; the dashboard learns of it when it is reachable. @throws RefusedOrder. */
	async record(order: RecordOrder): Promise<LocalRecording> {
		const { displays, leaving, begin } = this.#tools;
		const { displayId } = order;
		const isThere = (await displays.waitFor(displayId, DISPLAY_WAIT_MS)) !== undefined;
		if (leaving.aborted) {
			throw new RefusedOrder({
				code: "runner_ending",
				what: "The runner is stopping and starts no new recordings",
				remedy: "start it again first",
			});
		}
		if (!isThere) {
			const fault = displays.refusalOf(displayId) ?? displays.notFound(displayId);
			throw new RefusedOrder({ ...fault, code: "display_not_found" });
		}
		const name = order.name ?? `Recording of ${displayId}`;
		const run = await begin(orderOf(order, name));
		return this.#recordingOf(run);
	}

	/** Stops what the order names, at once; the dashboard learns of it with the video. @throws RefusedOrder. */
	async stop(order: StopOrder): Promise<StopAnswer> {
		const named = [...this.#runs].filter(([key, run]) => isNamed(order, key, run)).map(([, run]) => run);
		if (named.length === 0 && order.all !== true) throw new RefusedOrder(this.#noJob(order));
		const running = named.filter(({ spool }) => spool.manifest.stop === null && !spool.manifest.settled);
		const others = named.filter((run) => !running.includes(run));
		for (const run of running) run.cancel();
		const seen = (runs: JobRun[]) => Promise.all(runs.map((run) => this.#recordingOf(run)));
		return { stopped: await seen(running), ending: await seen(others) };
	}

	/** Adds to a recording's job what the recorded command came to. @throws RefusedOrder. */
	addResult(key: string, result: CommandResult): object {
		const run = this.#runs.get(key);
		if (run === undefined) throw new RefusedOrder(notKept(key));
		run.addResult(result);
		return {};
	}

	/** Stops the runner as soon as it records nothing; what is not uploaded then is kept in the spool. */
	leaveWhenIdle(): object {
		const capturing = () =>
			[...this.#runs.values()].filter(({ spool: { manifest }, isDisowned }) => !manifest.settled && !isDisowned);
		const check = () => {
			if (capturing().length === 0) this.#tools.leave();
			else setTimeout(check, LEAVE_POLL_MS).unref();
		};
		check();
		return {};
	}

	/** Makes the runner the version that is installed now, as soon as it has nothing to do. @throws RefusedOrder. */
	restartWhenIdle(): object {
		if (INSTALLATION === null) {
			throw new RefusedOrder({
				code: "not_installed",
				what: "The runner was not installed by install.sh",
				remedy: "restart it yourself",
			});
		}
		this.#tools.restartWhenIdle();
		return {};
	}

	/** Delivers a recording of another dashboard to this one, as a new job. @throws RefusedOrder. */
	async adopt(key: string): Promise<object> {
		const spool = this.#tools.setAside().get(key);
		if (spool === undefined) throw new RefusedOrder(notKept(key));
		if (this.#tools.connection.dashboard === null) {
			throw new RefusedOrder({
				code: "not_connected",
				what: "The runner is not connected to a dashboard yet",
				remedy: "wait until it is, or check TAPEDECK_URL",
			});
		}
		await this.#tools.adopt(spool);
		return {};
	}

	/** Deletes a recording from the spool; one in progress has to be stopped first. @throws RefusedOrder. */
	async remove(key: string): Promise<object> {
		const run = this.#runs.get(key);
		const spool = this.#tools.setAside().get(key);
		if (run !== undefined) {
			if (!run.spool.manifest.settled) {
				throw new RefusedOrder({
					code: "recording_in_use",
					what: `${run.spool.label} is in progress`,
					remedy: "stop it first: tapedeck stop",
				});
			}
			run.disown();
			await run.finished;
		} else if (spool !== undefined) await this.#tools.discard(spool);
		else throw new RefusedOrder(notKept(key));
		return {};
	}

	/** The recording, once it has reached `until`: at the latest after HELD_MS, or when the signal is aborted. */
	async waitFor(key: string, until: string | null, signal: AbortSignal): Promise<LocalRecording> {
		const deadline = performance.now() + HELD_MS;
		for (;;) {
			const run = this.#runs.get(key);
			const recording = run === undefined ? this.#finished.get(key) : await this.#recordingOf(run);
			if (recording === undefined) {
				throw new RefusedOrder({
					code: "job_not_found",
					what: "The runner no longer has that recording",
					remedy: "see its job's page",
				});
			}
			if (isReached(recording, until) || signal.aborted || performance.now() > deadline) return recording;
			await pause(POLL_MS, signal);
		}
	}

	async #recordingOf(run: JobRun, outcome?: LocalState): Promise<LocalRecording> {
		const { spool, video } = run;
		const { manifest } = spool;
		const firstFrameAt = manifest.parts[0]?.firstFrameAt ?? null;
		const status = outcome ?? stateOf(run);
		const clock = firstFrameAt === null ? 0 : (Date.now() - firstFrameAt) / 1_000;
		const { bytes, waiting } = await run.videoBytes();
		return {
			key: basename(spool.folder),
			jobId: spool.jobId,
			name: manifest.name,
			displayId: manifest.displayId,
			stopCondition: manifest.stopCondition,
			durationSeconds: manifest.stopCondition === "duration" ? manifest.stopConditionConfig.durationSeconds : null,
			status,
			startedAt: firstFrameAt === null ? null : new Date(firstFrameAt).toISOString(),
			// The complete fragments in the file lag behind the capture.
			recordedSeconds: round(status === "recording" ? Math.max(clock, video.durationSeconds) : video.durationSeconds),
			videoBytes: bytes,
			waitingBytes: waiting,
			stopReason: manifest.stop?.reason ?? null,
			verdict: run.verdict,
			message: manifest.stop?.message ?? null,
			url: spool.jobId === null ? null : `${this.#tools.connection.state.url}/jobs/${spool.jobId}`,
		};
	}

	#noJob(order: StopOrder): ControlFault {
		const { jobId, name, displayId } = order;
		const wanted =
			jobId !== undefined
				? `No job ${jobId} is running`
				: name !== undefined
					? `No recording named "${name}" is running`
					: `Nothing is being recorded on ${displayId ?? "it"}`;
		const others = [...this.#runs.values()].map(({ spool }) => `${spool.label} ("${spool.manifest.name}")`);
		const choice = others.length === 0 ? "Nothing is being recorded" : `It is recording ${others.join(", ")}`;
		const remedy = others.length === 0 ? "start a recording first" : "choose one of them";
		return { code: "job_not_found", what: `${wanted} on this runner. ${choice}`, remedy };
	}
}

const notKept = (key: string): ControlFault => ({
	code: "job_not_found",
	what: `The runner has no recording ${key}`,
	remedy: 'see "tapedeck spool list"',
});

/** The order of a recording that a command starts. */
function orderOf(
	{ displayId, durationSeconds, labels, keep, maxDurationSeconds }: RecordOrder,
	name: string,
): JobOrder {
	const order = {
		...({ id: null, key: randomUUID(), origin: "command", displayId, name } as const),
		...{ labels, keep, maxDurationSeconds },
	};
	if (durationSeconds === undefined) return { ...order, stopCondition: "interrupt", stopConditionConfig: {} };
	return { ...order, stopCondition: "duration", stopConditionConfig: { durationSeconds } };
}

const round = (seconds: number): number => Math.round(seconds * 100) / 100;

function isNamed(order: StopOrder, key: string, { spool }: JobRun): boolean {
	if (order.all) return true;
	const { name, displayId } = spool.manifest;
	return order.key === key || order.jobId === spool.jobId || order.name === name || order.displayId === displayId;
}

function stateOf({ spool, isDisowned }: JobRun): LocalState {
	const { parts, stop, settled } = spool.manifest;
	if (isDisowned) return "removed";
	if (settled) return "uploading";
	if (stop !== null) return "stopping";
	return parts[0]?.firstFrameAt == null ? "starting" : "recording";
}

/** The state of a job that this process has finished. */
function outcomeOf({ spool, isDisowned, video }: JobRun): LocalState {
	const { settled, outbox, stop, upload } = spool.manifest;
	if (isDisowned) return "removed";
	const hasVideo = video.durationSeconds > 0;
	if (!settled || stop === null || outbox.length > 0 || (hasVideo && !upload?.complete)) return "kept";
	if (!hasVideo) return stop.reason === "cancelled" ? "cancelled" : "failed";
	return isFailedReason(stop.reason) ? "failed" : "completed";
}

function isReached({ status, jobId }: LocalRecording, until: string | null): boolean {
	if ((FINAL_STATES as readonly string[]).includes(status)) return true;
	if (until === "finished") return false;
	if (until === "known") return jobId !== null;
	return until !== "recording" || status !== "starting";
}
