/**
 * The protocol between a running runner and the commands on its machine: HTTP with JSON over a Unix socket in the data
 * directory, which only the runner's own user can open.
 *
 * - `GET /status` answers ControlStatus.
 * - `POST /recordings` with RecordOrder starts a recording and answers 201 with it. With `?owner=run` or
 *   `?owner=record`, the command must then call the next endpoint, and the recording ends with the command:
 * - `GET /recordings/<key>/owner`, which the command keeps open for as long as it lives.
 * - `GET /recordings/<key>?until=recording|known|finished` answers LocalRecording, once that state is reached or after
 *   20 s.
 * - `POST /stop` with StopOrder answers StopAnswer.
 * - `POST /recordings/<key>/result` with CommandResult adds it to the recording's job.
 * - `POST /recordings/<key>/tests` with SentTest as `tests` adds test results: as many as fit into one report.
 * - `POST /recordings/<key>/markers` with CommandMarker adds a marker and answers 201 with AddedMarker.
 * - `POST /recordings/<key>/privacy` with PrivacyOrder begins or ends a private span and answers LocalPrivacy, once it
 *   is effective.
 * - `POST /displays` with DisplayOrder lends a virtual display. The answer is a stream of lines, each a LentLine: that the caller
 *   has to wait, then the display. The display ends with the call, which the caller keeps open, and the call with the display.
 * - `DELETE /displays/<number>` ends a lent display and answers 200 when it is gone.
 * - `GET /displays/<number>/cleared` answers ClearedDisplay, once a lent display shows no window or after 2 s.
 * - `POST /leave` stops the runner once it records nothing and has uploaded what it can.
 * - `POST /restart` replaces the runner by the installed version once it has nothing to do.
 * - `POST /spool/<key>/adopt` uploads a recording of another dashboard to this one as a new job and answers 200.
 * - `DELETE /spool/<key>` removes the spooled data of a recording and answers 200.
 *
 * Every other status comes with ControlFault.
 */
import { closeSync, constants, openSync } from "node:fs";
import type { StopReason } from "@tapedeck/contract/job-status.ts";
import type { Labels } from "@tapedeck/contract/labels.ts";
import type { NewDisplay } from "@tapedeck/contract/new-display.ts";
import type { Keep, MARKER_KINDS, Outcome, Verdict } from "@tapedeck/contract/recording-kinds.ts";
import type { commandTestSchema } from "@tapedeck/contract/runner-protocol.ts";
import type { StopCondition } from "@tapedeck/contract/stop-condition.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import type * as z from "zod";
import type { Fault } from "../base/fault.ts";
import type { ConnectionState } from "../dashboard/connection.ts";
import type { DisplayList } from "../displays/displays.ts";
import type { DisplayMode } from "../displays/virtual-display.ts";

/** The maximum time for which a call with `until` is held. */
export const HELD_MS = 20_000;

/** The maximum time for the runner to begin or end a private span. */
export const PRIVACY_WAIT_MS = 10_000;

/** The maximum time for the windows of a lent display to close. */
export const CLEARING_MS = 2_000;

/**
 * States until the video is uploaded: `starting`, `recording`, `stopping`, `uploading`. Final states: `completed`,
 * `failed`, `cancelled`, `removed` (it was deleted in the dashboard) or `kept` (in the spool, for the next start of the
 * runner).
 */
export const FINAL_STATES = ["completed", "failed", "cancelled", "removed", "kept"] as const;
export type LocalState = "starting" | "recording" | "stopping" | "uploading" | (typeof FINAL_STATES)[number];

export interface LocalRecording {
	/** The recording's id on this machine: the name of its folder in the spool. */
	key: string;
	/** Null until the dashboard has created the job. */
	jobId: number | null;
	name: string;
	displayId: string;
	stopCondition: StopCondition;
	/** Null where the condition has no length. */
	durationSeconds: number | null;
	status: LocalState;
	/** RFC 3339 instant of the first frame. */
	startedAt: string | null;
	recordedSeconds: number;
	/** The seconds of video from before the order, recorded and requested; null if none were requested. */
	past: { seconds: number; ordered: number } | null;
	/** Bytes of video in the spool. */
	videoBytes: number;
	/** Bytes of it that the dashboard has not confirmed. */
	waitingBytes: number;
	stopReason: StopReason | null;
	/** The verdict on all frames; null until capture has ended. */
	verdict: Verdict | null;
	/** Why it failed, with the remedy. */
	message: string | null;
	/** The job's page; null while there is no job. */
	url: string | null;
	/** The ids of its test results by their keys. Omitted until it is delivered. */
	resultIds?: Record<string, number>;
}

export interface ControlStatus extends DisplayList {
	name: string;
	version: string;
	pid: number;
	dataDir: string;
	startedAt: string;
	/** Whether it is stopping: it still uploads and starts nothing. */
	ending: boolean;
	/** A `tapedeck run` has started it, and it offers the displays of such commands alone. */
	isTemporary: boolean;
	dashboard: ConnectionState;
	recordings: LocalRecording[];
	/** Number of virtual displays that the runner makes at a time, of existing ones, and of those that programs have. */
	virtualDisplays: { maximum: number; used: number; lent: number };
	/** Keys of recordings that are kept for another dashboard; see `tapedeck spool list`. */
	setAside: string[];
	/** The value of TAPEDECK_GRID_ALLOW; null when every grid is allowed. */
	allowedGrids: readonly string[] | null;
	/** Free space on the disk of the data directory; null when it is unknown. */
	freeBytes: number | null;
}

export interface RecordOrder {
	displayId: string;
	name?: string;
	durationSeconds?: number;
	/** Labels of the job. */
	labels?: Labels;
	keep?: Keep;
	maxDurationSeconds?: number;
	video?: VideoOptions;
	/** The seconds before the order to include, as far as the runner's buffer has them. */
	preSeconds?: number;
	/** Nothing is sent before its command has failed, and nothing is kept if it succeeds. Only of the owner `run`. */
	onlyFailed?: boolean;
}

type MarkerKind = (typeof MARKER_KINDS)[number];

/**
 * The command that a recording belongs to. `run`: the result of its command is the outcome. `record`: it waits for the
 * recording, and its end is the recording's.
 */
export const OWNERS = ["run", "record"] as const;
export type Owner = (typeof OWNERS)[number];

export interface CommandMarker {
	label: string;
	kind?: MarkerKind;
	message?: string;
	/** RFC 3339; now if omitted. */
	at?: string;
}
export interface AddedMarker {
	/** Null until the dashboard has created the job. */
	jobId: number | null;
	label: string;
	kind: MarkerKind;
	message: string | null;
	at: string;
	/** Seconds from the first frame; null before it. */
	offsetSeconds: number | null;
}

export interface PrivacyOrder {
	on: boolean;
}
/** The state of the recording from now on: black, or the display. */
export interface LocalPrivacy extends PrivacyOrder {
	/** Null until the dashboard has created the job. */
	jobId: number | null;
}

/** The result of a recorded command. */
export interface CommandResult {
	outcome: Outcome;
	/** The end of the command, as a sentence. */
	message: string;
	/** The last lines of its output, if it failed. */
	output?: string;
	/** Results of the command's tests; offsets are seconds from the first frame. */
	markers?: TestMarker[];
}
export interface TestMarker {
	label: string;
	kind: MarkerKind;
	/** Several lines, such as the error of the test. */
	message?: string;
	offsetSeconds: number;
}

/** The result of a test of the recorded command. */
export type SentTest = z.input<typeof commandTestSchema>;

/** The mode of a virtual display that a program asks for; the runner's settings apply to what is omitted. */
export type DisplayOrder = Partial<DisplayMode>;

/** A virtual display that the runner lends to a program. */
export interface LentDisplay extends NewDisplay {
	/** `:104` */
	id: string;
	/** The runner's name. */
	runner: string;
	/** Its id in the dashboard; null before its first sign-in. */
	runnerId: number | null;
}
export type LentLine = { waiting: string } | { display: LentDisplay } | { fault: ControlFault };

/** The state of a lent display that was waited for. */
export interface ClearedDisplay {
	/** Whether it shows no window. */
	isEmpty: boolean;
}

/** Exactly one of these must be set. */
export interface StopOrder {
	key?: string;
	jobId?: number;
	name?: string;
	displayId?: string;
	all?: boolean;
}

export interface StopAnswer {
	/** Recordings that this call stopped. */
	stopped: LocalRecording[];
	/** Recordings that were already ending. */
	ending: LocalRecording[];
}

export type ControlFault = Fault<
	| "bad_order"
	| "display_not_found"
	| "display_unavailable"
	| "no_buffer"
	| "job_not_found"
	| "runner_ending"
	| "not_connected"
	| "not_installed"
	| "foreign_files"
	| "recording_in_use"
	| "recording_ended"
	| "privacy_unconfirmed"
	| "not_found"
	| "broken"
>;

export interface SocketAddress {
	/** Valid in this process until closed. */
	path: string;
	close(): void;
}

/**
 * The address of the socket. The path of a socket is limited to 107 bytes, that of a data directory is not, so both
 * sides go through a descriptor of the directory.
 * @throws like `open` when the directory doesn't exist or may not be entered.
 */
export function controlSocketIn(dataDir: string): SocketAddress {
	const descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
	return { path: `/proc/self/fd/${descriptor}/control.sock`, close: () => closeSync(descriptor) };
}
