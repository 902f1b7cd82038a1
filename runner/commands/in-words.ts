/** How commands write sizes, times and recordings for people. */
import type { Verdict } from "#lib/contract/recording.ts";
import type { LocalRecording } from "../control/messages.ts";

/** `12.3 MB` */
export function sizeInWords(bytes: number): string {
	if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`;
	if (bytes < 1_000_000_000) return `${(bytes / 1e6).toFixed(1)} MB`;
	return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** `1:02:03`, `0:07` */
export function timeInWords(seconds: number): string {
	const whole = Math.floor(seconds);
	const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
	const tail = String(whole % 60).padStart(2, "0");
	return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** `Job 12 "checkout" on :99` */
export function titleOf({ jobId, name, displayId }: Pick<LocalRecording, "jobId" | "name" | "displayId">): string {
	return `${jobId === null ? "Recording" : `Job ${jobId}`} "${name}" on ${displayId}`;
}

const STATES: Record<LocalRecording["status"], string> = {
	starting: "is starting",
	recording: "records",
	stopping: "is stopping",
	uploading: "is uploaded",
	completed: "is with the dashboard",
	failed: "has failed",
	cancelled: "was cancelled before anything was captured",
	removed: "has ended, and nothing of it is kept",
	kept: "is kept in the spool and delivered when the runner runs again",
};

const PICTURES: Record<Verdict, string> = {
	ok: "",
	black: "\n  The picture had one colour all the time: check that something is shown on that display.",
	frozen: "\n  Nothing moved in the picture all the time: check that what it shows still runs.",
};

/** One line that says how a recording stands. */
export function lineOf(recording: LocalRecording): string {
	const { status, recordedSeconds, durationSeconds, waitingBytes, stopReason, verdict, message, url } = recording;
	const length = status === "starting" ? "" : ` ${timeInWords(recordedSeconds)}`;
	const of = durationSeconds === null || status !== "recording" ? "" : ` of ${timeInWords(durationSeconds)}`;
	const why = stopReason === null || status === "cancelled" ? "" : `, ${stopReason}`;
	const waits = waitingBytes === 0 ? "" : `, ${sizeInWords(waitingBytes)} not delivered yet`;
	const picture = PICTURES[verdict ?? "ok"];
	const words = message === null ? "" : `: ${message}`;
	return `${titleOf(recording)} ${STATES[status]}${length}${of}${why}${waits}${words}${picture}${url === null ? "" : `\n  ${url}`}`;
}
