/** Why a job ended, read from the job and its history: who cancelled it, and what the grid's polls saw. */
import type { Job, JobEvent } from "../contract/job.ts";

/** One poll of a grid, as the runner tells it in an event. */
export interface ToldPoll {
	at: string;
	tookMs: number;
	seen: string;
	/** How many sessions it saw; null when it saw no count. */
	active: number | null;
	/** The grid's status when it refused the credentials. */
	status: number | null;
	/** What was wrong with the answer, or with there being none. */
	why: string | null;
}

export interface Ending {
	/** Who cancelled it; null when nobody did, or it is not told. */
	by: string | null;
	/** How much was recorded; null while that is not known. */
	recordedSeconds: number | null;
	/** The polls that decided; empty when none did. */
	polls: ToldPoll[];
	/** How many polls on end saw no session. */
	zeros: number;
	/** From the first of these polls to the last one. */
	pollSeconds: number;
	/** How often the capture stalled, and for how many seconds in all. */
	stalls: number;
	stalledSeconds: number;
}

const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const numberIn = (value: unknown): number | null =>
	typeof value === "number" && Number.isFinite(value) ? value : null;

function pollIn(value: unknown): ToldPoll[] {
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

/** The polls that an event carries as its observations, in the order in which they were asked. */
export const pollsOf = (event: JobEvent): ToldPoll[] =>
	Array.isArray(event.data.polls) ? event.data.polls.flatMap(pollIn) : [];

function recordedSecondsOf(job: Job): number | null {
	const { recording } = job;
	if (recording !== null && recording.state !== "live" && recording.durationSeconds > 0) {
		return recording.durationSeconds;
	}
	if (job.startedAt === null || job.stoppedAt === null) return null;
	return Math.max(0, Date.parse(job.stoppedAt) - Date.parse(job.startedAt)) / 1000;
}

/** @param events the job's history, oldest first; empty while it is being fetched. */
export function endingOf(job: Job, events: readonly JobEvent[]): Ending {
	const stopped = events.findLast(({ type }) => type === "stopped");
	const polls = stopped === undefined ? [] : pollsOf(stopped);
	const cancel = events.findLast(({ data }) => textIn(data.by) !== null);
	const [first, last] = [polls[0], polls.at(-1)];
	return {
		by: textIn(cancel?.data.by),
		recordedSeconds: recordedSecondsOf(job),
		polls,
		// A runner of an older version tells the polls alone.
		zeros: numberIn(stopped?.data.zeros) ?? polls.length,
		stalls: numberIn(stopped?.data.stalls) ?? 0,
		stalledSeconds: numberIn(stopped?.data.stalledSeconds) ?? 0,
		pollSeconds: first && last ? (Date.parse(last.at) - Date.parse(first.at)) / 1000 : 0,
	};
}
