/**
 * What a running runner and the commands on its machine say to each other: HTTP with JSON over a Unix socket in
 * the data directory, which only the runner's own user can open.
 *
 * - `GET /status` answers ControlStatus.
 * - `POST /recordings` with RecordOrder begins a recording and answers 201 with it.
 * - `GET /recordings/<key>?until=recording|known|finished` answers LocalRecording, once it is so or after 20 s.
 * - `POST /stop` with StopOrder answers StopAnswer.
 * - `POST /spool/<key>/adopt` delivers a recording of another dashboard to this one as a new job and answers 200.
 * - `DELETE /spool/<key>` removes what is kept of a recording and answers 200.
 *
 * Every other status comes with ControlFault.
 */
import type { StopReason } from "#lib/contract/job.ts";
import type { Verdict } from "#lib/contract/recording.ts";
import type { StopCondition } from "#lib/contract/stop-condition.ts";
import type { DashboardIdentity } from "../spool/dashboard-identity.ts";
import type { SeenDisplays } from "../seen-displays.ts";

/** How long a question with `until` is held. */
export const HELD_MS = 20_000;

/**
 * Until the video is delivered: `starting`, `recording`, `stopping`, `uploading`. Then for good: `completed`,
 * `failed`, `cancelled`, `removed` (the dashboard does not want it any more) or `kept` (in the spool, for the next
 * start of the runner).
 */
export const FINAL_STATES = ["completed", "failed", "cancelled", "removed", "kept"] as const;
export type LocalState = "starting" | "recording" | "stopping" | "uploading" | (typeof FINAL_STATES)[number];

export interface LocalRecording {
	/** Names it on this machine: the name of its folder in the spool. */
	key: string;
	/** Null while the dashboard does not know it. */
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
	/** Bytes of video in the spool. */
	videoBytes: number;
	/** Those that the dashboard has not confirmed. */
	waitingBytes: number;
	stopReason: StopReason | null;
	/** What the picture was from the first frame to the last; null until capture is over. */
	verdict: Verdict | null;
	/** Why it failed, in a sentence with the remedy. */
	message: string | null;
	/** The job's page; null while there is no job. */
	url: string | null;
}

export interface ConnectionState {
	url: string;
	/** Its last call went through. */
	connected: boolean;
	runnerId: number | null;
	/** Whose recordings the runner delivers; null before the first sign-in. */
	identity: DashboardIdentity | null;
	/** Why it is not connected, if that is known. */
	problem: string | null;
	/** How far this machine's clock was ahead at the last sign-in, in ms. */
	clockAheadMs: number | null;
}

export interface ControlStatus extends SeenDisplays {
	name: string;
	version: string;
	pid: number;
	dataDir: string;
	startedAt: string;
	/** It was asked to go and only delivers what it has. */
	ending: boolean;
	dashboard: ConnectionState;
	recordings: LocalRecording[];
	/** Keys of recordings that are kept for another dashboard; `tapedeck spool list` shows them. */
	setAside: string[];
	/** What TAPEDECK_GRID_ALLOW says; null when every grid may be asked. */
	allowedGrids: readonly string[] | null;
	/** Room on the disk of the data directory; null when it cannot be told. */
	freeBytes: number | null;
}

export interface RecordOrder {
	displayId: string;
	name?: string;
	durationSeconds?: number;
}

/** Exactly one of them. */
export interface StopOrder {
	key?: string;
	jobId?: number;
	name?: string;
	displayId?: string;
	all?: boolean;
}

export interface StopAnswer {
	/** What this call stopped. */
	stopped: LocalRecording[];
	/** What was named and is ending already. */
	ending: LocalRecording[];
}

export interface ControlFault {
	code:
		| "bad_order"
		| "display_not_found"
		| "job_not_found"
		| "runner_ending"
		| "not_connected"
		| "recording_in_use"
		| "not_found"
		| "broken";
	message: string;
}
