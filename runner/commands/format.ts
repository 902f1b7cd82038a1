/** Formats sizes, times and recordings for commands. */

import type { Verdict } from "@tapedeck/contract/recording.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import type { LocalRecording } from "../control/messages.ts";

/** `12.3 MB` */
export function formatSize(bytes: number): string {
	if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
	if (bytes < 1_000_000_000) return `${(bytes / 1e6).toFixed(1)} MB`;
	return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** `Job 12 "checkout" on :99` */
export function titleOf({ jobId, name, displayId }: Pick<LocalRecording, "jobId" | "name" | "displayId">): string {
	return `${jobId === null ? "Recording" : `Job ${jobId}`} "${name}" on ${displayId}`;
}

const STATES: Record<LocalRecording["status"], string> = {
	starting: "is starting",
	recording: "is recording",
	stopping: "is stopping",
	uploading: "is uploading",
	completed: "is complete",
	failed: "failed",
	cancelled: "was cancelled before its first frame",
	removed: "has ended, and its recording was deleted",
	kept: "is kept in the spool, and uploaded when the runner is started again",
};

const VERDICTS: Record<Verdict, string> = {
	ok: "",
	black: "\n  The video shows a single color from beginning to end. Check what is shown on that display.",
	frozen: "\n  Nothing moves in the video. Check that what is shown on that display is still running.",
};

/** The state of a recording in one line, with its page below. */
export function describeRecording(recording: LocalRecording): string {
	const { status, recordedSeconds, durationSeconds, waitingBytes, stopReason, verdict, message, past, url } = recording;
	const length = status === "starting" ? "" : ` ${formatDuration(recordedSeconds)}`;
	const of = durationSeconds === null || status !== "recording" ? "" : ` of ${formatDuration(durationSeconds)}`;
	const reason = stopReason === null || status === "cancelled" ? "" : `, ${stopReason}`;
	const waiting = waitingBytes === 0 ? "" : `, ${formatSize(waitingBytes)} not uploaded yet`;
	const error = message === null ? "" : `: ${message}`;
	const missing = past === null || Math.round(past.seconds) >= past.ordered ? "" : describeShort(past);
	const page = url === null ? "" : `\n  ${url}`;
	return `${titleOf(recording)} ${STATES[status]}${length}${of}${reason}${waiting}${error}${VERDICTS[verdict ?? "ok"]}${missing}${page}`;
}

const describeShort = ({ seconds, ordered }: NonNullable<LocalRecording["past"]>): string =>
	`\n  Of the past it has ${formatDuration(seconds)} of ${formatDuration(ordered)}: the runner's buffer had no more (TAPEDECK_BUFFER).`;
