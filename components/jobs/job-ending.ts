/** Why a job ended, from the job and its history: who cancelled it, and what the grid polls returned. */
import type { Job, JobEvent } from "@tapedeck/contract/job.ts";

/** One grid poll, as the runner reports it in an event. */
export interface ReportedPoll {
	at: string;
	tookMs: number;
	seen: string;
	/** Number of sessions; null if the response had none. */
	active: number | null;
	/** HTTP status with which the grid refused the credentials. */
	status: number | null;
	/** The reason why the request failed. */
	why: string | null;
}

export interface Ending {
	/** Name of the user who cancelled it; null if nobody did, or if it is unknown. */
	by: string | null;
	/** Recorded duration; null while unknown. */
	recordedSeconds: number | null;
	/** The polls that caused the end; empty if none did. */
	polls: ReportedPoll[];
	/** Number of consecutive polls without a session. */
	zeros: number;
	/** The time from the first to the last of these polls. */
	pollSeconds: number;
	/** Number of stalls of the capture, and their total in seconds. */
	stalls: number;
	stalledSeconds: number;
}

const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const numberIn = (value: unknown): number | null =>
	typeof value === "number" && Number.isFinite(value) ? value : null;

function pollIn(value: unknown): ReportedPoll[] {
	if (typeof value !== "object" || value === null) return [];
	const poll = value as Record<string, unknown>;
	const [at, seen] = [textIn(poll.at), textIn(poll.seen)];
	if (at === null || seen === null || Number.isNaN(Date.parse(at))) return [];
	return [
		{
			at,
			seen,
			tookMs: numberIn(poll.tookMs) ?? 0,
			active: numberIn(poll.active),
			status: numberIn(poll.status),
			why: textIn(poll.why),
		},
	];
}

/** The polls in an event's data, in order. */
export const pollsOf = (event: JobEvent): ReportedPoll[] =>
	Array.isArray(event.data.polls) ? event.data.polls.flatMap(pollIn) : [];

function recordedSecondsOf(job: Job): number | null {
	const { recording } = job;
	if (recording !== null && recording.state !== "live" && recording.durationSeconds > 0) {
		return recording.durationSeconds;
	}
	if (job.startedAt === null || job.stoppedAt === null) return null;
	return Math.max(0, Date.parse(job.stoppedAt) - Date.parse(job.startedAt)) / 1000;
}

/** @param events the job's history, oldest first; empty while it is loading. */
export function endingOf(job: Job, events: readonly JobEvent[]): Ending {
	const stopped = events.findLast(({ type }) => type === "stopped");
	const polls = stopped === undefined ? [] : pollsOf(stopped);
	const cancel = events.findLast(({ data }) => textIn(data.by) !== null);
	const [first, last] = [polls[0], polls.at(-1)];
	return {
		by: textIn(cancel?.data.by),
		recordedSeconds: recordedSecondsOf(job),
		polls,
		// Older runners report only the polls.
		zeros: numberIn(stopped?.data.zeros) ?? polls.length,
		stalls: numberIn(stopped?.data.stalls) ?? 0,
		stalledSeconds: numberIn(stopped?.data.stalledSeconds) ?? 0,
		pollSeconds: first && last ? (Date.parse(last.at) - Date.parse(first.at)) / 1000 : 0,
	};
}
