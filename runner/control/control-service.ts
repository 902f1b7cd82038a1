/** What the commands on the runner's machine may see and do of a running runner. */
import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { basename } from "node:path";
import { isFailedReason } from "#lib/contract/job.ts";
import { VERSION } from "#lib/contract/version.ts";
import type { Connection } from "../connection.ts";
import type { Displays } from "../displays/displays.ts";
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import type { JobRun } from "../run-job.ts";
import type { JobOrder, JobSpool } from "../spool.ts";
import { pause } from "../base/wait.ts";
import { bytesIn } from "./bytes-in.ts";
import {
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

/** Keys of recordings that a command began; those that auto-record began have none. */
const KEY_PREFIX = "command-";
export const isCommandKey = (key: string): boolean => key.startsWith(KEY_PREFIX);

const REMEMBERED = 100;
const DISPLAY_LOOK_MS = 1_000;
const LOOK_MS = 50;

/** A refusal of a command, in words for the person who gave it. */
export class RefusedOrder extends Error {
	override name = "RefusedOrder";
	readonly code: ControlFault["code"];

	constructor(code: ControlFault["code"], message: string) {
		super(message);
		this.code = code;
	}
}

export interface DeskTools {
	name: string;
	dataDir: string;
	allowedGrids: AllowedGrids;
	displays: Displays;
	connection: Connection;
	/** Aborted when the runner has been asked to go. */
	leaving: AbortSignal;
	begin(order: JobOrder): Promise<JobRun>;
	/** What is kept for another dashboard, by key. */
	setAside(): Map<string, JobSpool>;
	/** Delivers it to this dashboard, as a new job. */
	adopt(spool: JobSpool): Promise<void>;
	/** Forgets it, with everything on the disk. */
	discard(spool: JobSpool): Promise<void>;
}

export class ControlDesk {
	readonly #tools: DeskTools;
	readonly #startedAt = new Date().toISOString();
	readonly #runs = new Map<string, JobRun>();
	/** How the last ones ended, for whoever asks a moment later. */
	readonly #finished = new Map<string, LocalRecording>();

	constructor(tools: DeskTools) {
		this.#tools = tools;
	}

	/** From now on the job can be seen and stopped here. */
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
			version: VERSION,
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

	/** Begins a recording as auto-record does: the dashboard hears of it when it can. @throws RefusedOrder. */
	async record(order: RecordOrder): Promise<LocalRecording> {
		const { displays, leaving, begin } = this.#tools;
		const { displayId, durationSeconds } = order;
		if (leaving.aborted) {
			throw new RefusedOrder("runner_ending", "The runner is ending and begins nothing more; start it again first.");
		}
		if ((await displays.waitFor(displayId, DISPLAY_LOOK_MS)) === undefined) {
			throw new RefusedOrder("display_not_found", this.#noDisplay(displayId));
		}
		const name = order.name ?? `Recording of ${displayId}`;
		const run = await begin(orderOf(displayId, name, durationSeconds));
		return this.#recordingOf(run);
	}

	/** Cancels what the order names, here and now; the dashboard hears of it with the video. @throws RefusedOrder. */
	async stop(order: StopOrder): Promise<StopAnswer> {
		const named = [...this.#runs].filter(([key, run]) => isNamed(order, key, run)).map(([, run]) => run);
		if (named.length === 0 && order.all !== true) throw new RefusedOrder("job_not_found", this.#noJob(order));
		const running = named.filter(({ spool }) => spool.manifest.stop === null && !spool.manifest.settled);
		const others = named.filter((run) => !running.includes(run));
		for (const run of running) run.cancel();
		const seen = (runs: JobRun[]) => Promise.all(runs.map((run) => this.#recordingOf(run)));
		return { stopped: await seen(running), ending: await seen(others) };
	}

	/** Delivers what was kept for another dashboard to this one, as a new job. @throws RefusedOrder. */
	async adopt(key: string): Promise<object> {
		const spool = this.#tools.setAside().get(key);
		if (spool === undefined) throw new RefusedOrder("job_not_found", noneKept(key));
		if (this.#tools.connection.dashboard === null) {
			const words = "The runner is not connected to a dashboard yet; wait until it is, or check TAPEDECK_URL.";
			throw new RefusedOrder("not_connected", words);
		}
		await this.#tools.adopt(spool);
		return {};
	}

	/** Removes what is kept of a recording; one that is still recorded has to be stopped first. @throws RefusedOrder. */
	async remove(key: string): Promise<object> {
		const run = this.#runs.get(key);
		const spool = this.#tools.setAside().get(key);
		if (run !== undefined) {
			if (!run.spool.manifest.settled) {
				throw new RefusedOrder(
					"recording_in_use",
					`${run.spool.label} is being recorded; stop it first: tapedeck stop.`,
				);
			}
			run.disown();
			await run.finished;
		} else if (spool !== undefined) await this.#tools.discard(spool);
		else throw new RefusedOrder("job_not_found", noneKept(key));
		return {};
	}

	/** The recording, once `until` is so: at the latest after HELD_MS, or when the signal says enough. */
	async look(key: string, until: string | null, signal: AbortSignal): Promise<LocalRecording> {
		const deadline = performance.now() + HELD_MS;
		for (;;) {
			const run = this.#runs.get(key);
			const recording = run === undefined ? this.#finished.get(key) : await this.#recordingOf(run);
			if (recording === undefined) {
				throw new RefusedOrder(
					"job_not_found",
					"The runner does not know that recording any more; see its job's page.",
				);
			}
			if (isReached(recording, until) || signal.aborted || performance.now() > deadline) return recording;
			await pause(LOOK_MS, signal);
		}
	}

	async #recordingOf(run: JobRun, outcome?: LocalState): Promise<LocalRecording> {
		const { spool, video } = run;
		const { manifest } = spool;
		const firstFrameAt = manifest.parts[0]?.firstFrameAt ?? null;
		const { durationSeconds } = manifest.stopConditionConfig as { durationSeconds?: number };
		const status = outcome ?? stateOf(run);
		const clock = firstFrameAt === null ? 0 : (Date.now() - firstFrameAt) / 1_000;
		const bytes = video.sealed ? video.available : Math.max(video.available, await bytesIn(spool.folder));
		return {
			key: basename(spool.folder),
			jobId: spool.jobId,
			name: manifest.name,
			displayId: manifest.displayId,
			stopCondition: manifest.stopCondition,
			durationSeconds: durationSeconds ?? null,
			status,
			startedAt: firstFrameAt === null ? null : new Date(firstFrameAt).toISOString(),
			// What is whole in the file lags behind what is captured.
			recordedSeconds: round(status === "recording" ? Math.max(clock, video.durationSeconds) : video.durationSeconds),
			videoBytes: bytes,
			waitingBytes: manifest.upload?.complete ? 0 : Math.max(0, bytes - spool.confirmedBytes),
			stopReason: manifest.stop?.reason ?? null,
			verdict: run.verdict,
			message: manifest.stop?.message ?? null,
			url: spool.jobId === null ? null : `${this.#tools.connection.state.url}/jobs/${spool.jobId}`,
		};
	}

	#noDisplay(displayId: string): string {
		const { displays } = this.#tools;
		const there = displays.list().map(({ id }) => id);
		const choice = there.length === 0 ? "The runner has no display at all" : `The runner has ${there.join(", ")}`;
		return (
			displays.refusalOf(displayId) ?? `Display ${displayId} is not there. ${choice}; start it, or choose another one.`
		);
	}

	#noJob(order: StopOrder): string {
		const { jobId, name, displayId } = order;
		const wanted =
			jobId !== undefined
				? `No job ${jobId} runs`
				: name !== undefined
					? `No recording named "${name}" runs`
					: `Nothing is recorded on ${displayId ?? "it"}`;
		const there = [...this.#runs.values()].map(({ spool }) => `${spool.label} ("${spool.manifest.name}")`);
		return there.length === 0
			? `${wanted} on this runner: it records nothing at all.`
			: `${wanted} on this runner. It has ${there.join(", ")}; name one of them.`;
	}
}

const noneKept = (key: string): string =>
	`No recording ${key} is kept by the runner. "tapedeck spool list" shows what there is.`;

/** An order as auto-record gives it: with a key by which the dashboard knows it again. */
function orderOf(displayId: string, name: string, durationSeconds: number | undefined): JobOrder {
	const base = { key: KEY_PREFIX + randomUUID(), displayId, name, at: new Date().toISOString() };
	if (durationSeconds === undefined) {
		const rule = { stopCondition: "interrupt" as const, stopConditionConfig: {} };
		return { id: null, auto: { ...base, ...rule }, displayId, name, ...rule };
	}
	const rule = { stopCondition: "duration" as const, stopConditionConfig: { durationSeconds } };
	return { id: null, auto: { ...base, ...rule }, displayId, name, ...rule };
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

/** How a job stands that this life of the runner has finished with. */
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
