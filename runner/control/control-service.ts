/** Data and actions that commands on the runner's machine can use. */
import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { basename } from "node:path";
import { isFailedReason } from "@tapedeck/contract/job-status.ts";
import type { createMarkerBodySchema } from "@tapedeck/contract/marker.ts";
import type { CommandTest } from "@tapedeck/contract/runner-protocol.ts";
import type * as z from "zod";
import { type Fault, messageOf } from "../base/fault.ts";
import { whyNotAsRoot } from "../base/foreign-files.ts";
import { INSTALLATION, installedCommand, OWN_VERSION } from "../base/installation.ts";
import { aborted, pause } from "../base/wait.ts";
import type { Connection } from "../dashboard/connection.ts";
import type { Displays } from "../displays/displays.ts";
import { NoDisplayError, type VirtualDisplay } from "../displays/virtual-display.ts";
import type { VirtualDisplays } from "../displays/virtual-displays.ts";
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import type { JobRun } from "../run-job.ts";
import type { JobOrder, JobSpool, Manifest } from "../spool/spool.ts";
import {
	type AddedMarker,
	CLEARING_MS,
	type ClearedDisplay,
	type CommandResult,
	type ControlFault,
	type ControlStatus,
	type DisplayOrder,
	FINAL_STATES,
	HELD_MS,
	type LentLine,
	type LocalPrivacy,
	type LocalRecording,
	type LocalState,
	type Owner,
	PRIVACY_WAIT_MS,
	type PrivacyOrder,
	type RecordOrder,
	type StopAnswer,
	type StopOrder,
} from "./messages.ts";
import { Owners } from "./owners.ts";

const REMEMBERED = 100;
const DISPLAY_WAIT_MS = 1_000;
const POLL_MS = 50;
const LEAVE_POLL_MS = 200;
/**
 * The maximum time for which a runner that is shutting down uploads recordings of earlier runners, if it can reach the
 * dashboard.
 */
const LEFTOVERS_MS = 60_000;
const UNUSED_POLL_MS = 500;
/** The maximum time for which a temporary runner stays without a recording and without a command. */
const UNUSED_MS = 5_000;
/** The maximum time for which it waits for an unreachable dashboard. */
const AWAY_MS = 60_000;
/** The maximum time by which a marker may lie in the future, as in the API. */
const MAX_AHEAD_MS = 5_000;

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
	isTemporary: boolean;
	allowedGrids: AllowedGrids;
	displays: Displays;
	virtualDisplays: VirtualDisplays;
	connection: Connection;
	/** Aborted when the runner has been asked to stop. */
	shutdown: AbortSignal;
	begin(order: JobOrder): Promise<JobRun>;
	/** Why nothing of the past can be recorded; null when there is a buffer of the display. */
	bufferFault(displayId: string): Fault<"no_buffer"> | null;
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
	/** The ends of the latest recordings, for commands that ask a moment later. */
	readonly #finished = new Map<string, LocalRecording>();
	readonly #owners = new Owners();
	/** Displays that programs have, by id. */
	readonly #lent = new Map<string, VirtualDisplay>();
	/** performance.now() of the last use by a command. */
	#usedAt = performance.now();

	constructor(tools: ControlTools) {
		this.#tools = tools;
	}

	/** Makes a job visible to commands. */
	add(run: JobRun): void {
		const key = basename(run.spool.folder);
		this.#runs.set(key, run);
		this.#owners.expect(run);
		const withdraw = this.#tools.displays.offer(run.spool.manifest.displayId);
		void run.finished.then(async () => {
			withdraw();
			this.#usedAt = performance.now();
			const recording = await this.#recordingOf(run, outcomeOf(run));
			this.#finished.set(key, { ...recording, resultIds: Object.fromEntries(run.spool.resultIds) });
			this.#runs.delete(key);
			for (const oldest of this.#finished.keys()) {
				if (this.#finished.size <= REMEMBERED) break;
				this.#finished.delete(oldest);
			}
		});
	}

	async status(): Promise<ControlStatus> {
		const { name, dataDir, allowedGrids, displays, virtualDisplays, connection, shutdown } = this.#tools;
		const disk = await statfs(dataDir).catch(() => null);
		return {
			name,
			version: OWN_VERSION,
			pid: process.pid,
			dataDir,
			startedAt: this.#startedAt,
			ending: shutdown.aborted,
			isTemporary: this.#tools.isTemporary,
			dashboard: connection.state,
			displays: displays.list(),
			refused: displays.refused(),
			allowed: displays.allowed,
			allowedGrids: allowedGrids.entries,
			recordings: await Promise.all([...this.#runs.values()].map((run) => this.#recordingOf(run))),
			virtualDisplays: {
				maximum: virtualDisplays.maximum,
				used: virtualDisplays.maximum - virtualDisplays.free,
				lent: virtualDisplays.lent,
			},
			setAside: [...this.#tools.setAside().keys()],
			freeBytes: disk === null ? null : disk.bavail * disk.bsize,
		};
	}

	/** Starts a recording at once; the dashboard learns of it when it is reachable. @throws RefusedOrder. */
	async record(order: RecordOrder, owner: Owner | null): Promise<LocalRecording> {
		this.#usedAt = performance.now();
		const withdraw = this.#tools.displays.offer(order.displayId);
		try {
			return await this.#record(order, owner);
		} finally {
			withdraw();
		}
	}

	async #record(order: RecordOrder, owner: Owner | null): Promise<LocalRecording> {
		const { displays, shutdown, begin, bufferFault } = this.#tools;
		const { displayId } = order;
		const isThere = (await displays.waitFor(displayId, DISPLAY_WAIT_MS)) !== undefined;
		if (shutdown.aborted) throw new RefusedOrder(isEnding("starts no new recordings"));
		if (!isThere) {
			const fault = displays.refusalOf(displayId) ?? displays.notFound(displayId);
			throw new RefusedOrder({ ...fault, code: "display_not_found" });
		}
		if (order.onlyFailed && owner !== "run") {
			throw new RefusedOrder({
				code: "bad_order",
				what: "Only a recorded command can fail",
				remedy: "use onlyFailed with tapedeck run alone",
			});
		}
		const missing = order.preSeconds ? bufferFault(displayId) : null;
		if (missing !== null) throw new RefusedOrder(missing);
		const name = order.name ?? `Recording of ${displayId}`;
		const run = await begin({ ...orderOf(order, name), owner });
		return this.#recordingOf(run);
	}

	/**
	 * Lends a virtual display until the program is gone, or the display has ended.
	 * @param gone aborted also when this runner ends the call. @throws RefusedOrder.
	 */
	async lendDisplay(order: DisplayOrder, write: (line: LentLine) => void, gone: AbortSignal): Promise<void> {
		const { name, virtualDisplays, connection, shutdown } = this.#tools;
		if (shutdown.aborted) throw new RefusedOrder(isEnding("lends no displays"));
		const over = AbortSignal.any([gone, shutdown]);
		try {
			const display = await virtualDisplays.lend(order, { gone: over, waits: (waiting) => write({ waiting }) });
			if (display === null) {
				if (gone.aborted) return;
				throw new RefusedOrder(isEnding("lends no displays"));
			}
			const { id, width, height } = display;
			write({ display: { id, width, height, runner: name, runnerId: connection.state.runnerId } });
			// A runner that stops leaves the display to the program for as long as it can.
			this.#lent.set(id, display);
			await Promise.race([display.ended, aborted(gone)]);
			await display.stop();
			this.#lent.delete(id);
		} catch (error) {
			if (!(error instanceof NoDisplayError)) throw error;
			throw new RefusedOrder(error.fault);
		}
	}

	/** Ends a lent display. Returns when it is gone, also if it was gone before. */
	async returnDisplay(id: string): Promise<object> {
		await this.#lent.get(id)?.stop();
		return {};
	}

	/** Waits until a lent display shows no window, for a short time. */
	async clearedDisplay(id: string): Promise<ClearedDisplay> {
		return { isEmpty: (await this.#lent.get(id)?.emptyWithin(CLEARING_MS)) ?? true };
	}

	/** Stops the matching recordings at once. The dashboard learns of it with the video. @throws RefusedOrder. */
	async stop(order: StopOrder): Promise<StopAnswer> {
		const named = [...this.#runs].filter(([key, run]) => isNamed(order, key, run)).map(([, run]) => run);
		if (named.length === 0 && order.all !== true) throw new RefusedOrder(this.#noJob(order));
		const running = named.filter(({ spool }) => spool.manifest.stop === null && !spool.manifest.settled);
		const others = named.filter((run) => !running.includes(run));
		for (const run of running) run.cancel();
		const seen = (runs: JobRun[]) => Promise.all(runs.map((run) => this.#recordingOf(run)));
		return { stopped: await seen(running), ending: await seen(others) };
	}

	/** Holds the call of the command that owns a recording. @throws RefusedOrder. */
	async own(key: string, gone: AbortSignal, closing: AbortSignal): Promise<object> {
		const run = this.#runs.get(key);
		if (run === undefined) throw new RefusedOrder(notKept(key));
		await this.#owners.hold(run, gone, closing);
		this.#usedAt = performance.now();
		return {};
	}

	/** Adds a marker to a recording's job, now or at another time. @throws RefusedOrder. */
	mark(key: string, { label, kind, message = null, at }: z.output<typeof createMarkerBodySchema>): AddedMarker {
		const run = this.#runs.get(key);
		if (run === undefined) throw new RefusedOrder(notKept(key));
		const moment = at === undefined ? Date.now() : Date.parse(at);
		if (moment > Date.now() + MAX_AHEAD_MS) {
			throw new RefusedOrder({
				code: "bad_order",
				what: "That time is in the future",
				remedy: "give a time within the recording, or leave it out for now",
			});
		}
		run.addMarker({ label, kind, message }, moment);
		const offsetSeconds = run.firstFrameAt === null ? null : Math.max(0, moment - run.firstFrameAt) / 1_000;
		return { jobId: run.spool.jobId, label, kind, message, at: new Date(moment).toISOString(), offsetSeconds };
	}

	/**
	 * Begins or ends a private span. Returns once the display is no longer recorded, or is recorded again.
	 * @throws RefusedOrder, including when this takes too long; the request then stays in effect.
	 */
	async setPrivacy(key: string, { on }: PrivacyOrder): Promise<LocalPrivacy> {
		const run = this.#runs.get(key);
		if (run === undefined) throw new RefusedOrder(notKept(key));
		const { version, on: isOn } = run.privacy;
		if (isOn !== on) await run.setPrivacy({ version: version + 1, on });
		const deadline = performance.now() + PRIVACY_WAIT_MS;
		for (;;) {
			if (!["starting", "recording"].includes(stateOf(run))) throw new RefusedOrder(recordsNoMore(run));
			if (run.privacy.isEffective && run.privacy.on === on) return { jobId: run.spool.jobId, on };
			if (performance.now() > deadline) throw new RefusedOrder(notEffective(on));
			await pause(POLL_MS);
		}
	}

	/** Adds what became of tests of the recorded command to a recording's job. @throws RefusedOrder. */
	addTests(key: string, { tests }: { tests: readonly CommandTest[] }): object {
		const run = this.#runs.get(key);
		if (run === undefined) throw new RefusedOrder(notKept(key));
		run.addTests(tests);
		return {};
	}

	/** Adds the result of the recorded command to a recording's job. @throws RefusedOrder. */
	async addResult(key: string, result: CommandResult): Promise<object> {
		const run = this.#runs.get(key);
		if (run === undefined) throw new RefusedOrder(notKept(key));
		await run.addResult(result);
		return {};
	}

	/**
	 * Resolves when no command needs this runner any more and everything is delivered, or the dashboard has been away for
	 * some time. That is the end of a runner that `tapedeck run` has started, if the command was killed before it could end it.
	 */
	async unused(signal: AbortSignal): Promise<void> {
		let awaySince: number | null = null;
		for (;;) {
			await pause(UNUSED_POLL_MS, signal);
			if (signal.aborted) return;
			const now = performance.now();
			awaySince = this.#tools.connection.state.connected ? null : (awaySince ?? now);
			const isAway = awaySince !== null && now - awaySince > AWAY_MS;
			const runs = [...this.#runs.values()].filter(({ spool: { manifest } }) => !manifest.settled || !isAway);
			if (runs.length > 0 || this.#owners.areThere) this.#usedAt = now;
			else if (now - this.#usedAt > UNUSED_MS) return;
		}
	}

	/**
	 * Stops the runner once it records nothing and has uploaded everything. Recordings that it cannot upload, because the
	 * dashboard cannot be reached or refuses them, are kept in the spool.
	 */
	leaveWhenIdle(): object {
		let recordedUntil = performance.now();
		const isIdle = () => {
			const runs = [...this.#runs.values()].filter((run) => !run.isDiscarded && !run.isSetAside);
			if (runs.some(({ spool: { manifest } }) => !manifest.settled)) {
				recordedUntil = performance.now();
				return false;
			}
			const { connected } = this.#tools.connection.state;
			return runs.length === 0 || !connected || performance.now() - recordedUntil > LEFTOVERS_MS;
		};
		const check = () => {
			if (isIdle()) this.#tools.leave();
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
		const why = whyNotAsRoot(installedCommand(INSTALLATION));
		if (why !== null) throw new RefusedOrder({ code: "foreign_files", what: why, remedy: "restart it yourself" });
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
			run.discard();
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
			past: pastOf(manifest),
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

const isEnding = (consequence: string): ControlFault => ({
	code: "runner_ending",
	what: `The runner is stopping and ${consequence}`,
	remedy: "start it again first",
});

const notKept = (key: string): ControlFault => ({
	code: "job_not_found",
	what: `The runner has no recording ${key}`,
	remedy: 'see "tapedeck spool list"',
});

/** The order of a recording that a command starts. */
function orderOf(
	{ displayId, durationSeconds, labels, keep, maxDurationSeconds, video, preSeconds, onlyFailed }: RecordOrder,
	name: string,
): JobOrder {
	const order = {
		...({ id: null, key: randomUUID(), origin: "command", displayId, name } as const),
		labels,
		keep,
		maxDurationSeconds,
		video,
		preSeconds,
		onlyFailed,
	};
	if (durationSeconds === undefined) return { ...order, stopCondition: "interrupt", stopConditionConfig: {} };
	return { ...order, stopCondition: "duration", stopConditionConfig: { durationSeconds } };
}

const pastOf = ({ preSeconds, past, video }: Manifest): LocalRecording["past"] =>
	preSeconds === 0 ? null : { seconds: round((past?.frames ?? 0) / video.framesPerSecond), ordered: preSeconds };

const round = (seconds: number): number => Math.round(seconds * 100) / 100;

function isNamed(order: StopOrder, key: string, { spool }: JobRun): boolean {
	if (order.all) return true;
	const { name, displayId } = spool.manifest;
	return order.key === key || order.jobId === spool.jobId || order.name === name || order.displayId === displayId;
}

const recordsNoMore = ({ spool }: JobRun): ControlFault => ({
	code: "recording_ended",
	what: `${spool.label} does not record any more`,
	remedy: "do this while it records",
});

const notEffective = (on: boolean): ControlFault => ({
	code: "privacy_unconfirmed",
	what: `After ${PRIVACY_WAIT_MS / 1_000} s, ${on ? "what the display shows may still be recorded" : "the video is still black"}`,
	remedy: "run the command again to wait for it, as it stays asked for, and see the runner's log",
});

function stateOf({ spool, isDiscarded }: JobRun): LocalState {
	const { parts, stop, settled } = spool.manifest;
	if (isDiscarded) return "removed";
	if (settled) return "uploading";
	if (stop !== null) return "stopping";
	return parts[0]?.firstFrameAt == null ? "starting" : "recording";
}

/** The state of a job that this process has finished. */
function outcomeOf({ spool, isDiscarded, video }: JobRun): LocalState {
	const { settled, outbox, stop, upload } = spool.manifest;
	if (isDiscarded) return "removed";
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
