/** A job of the fake dashboard, which moves along the real transition table. */
import { isFailedReason, type JobStatus } from "@tapedeck/contract/job-status.ts";
import { isTransition, type JobReport, type RunnerJob } from "@tapedeck/contract/runner-protocol.ts";
import { TRANSITIONS } from "#lib/lifecycle/transitions.ts";

export interface FakeJob {
	order: RunnerJob;
	/** The runner started the recording by itself: it already has the job. */
	isAuto: boolean;
	cancelRequested: boolean;
	status: JobStatus;
	/** Reports that were applied; repeated and late ones are ignored. */
	reports: JobReport[];
	uploadId: string | null;
	uploadComplete: boolean;
	/** performance.now() when the last byte arrived. */
	completeAt: number | null;
	/** Positions of the received stills on the timeline, in seconds. */
	posters: number[];
	/** The received bytes of each track. */
	tracks: Map<string, string>;
}

/**
 * The status changes among a job's reports. Other entries vary: a machine that delays the capture by a second adds one.
 */
export const movesOf = (job: FakeJob) => job.reports.filter(isTransition);

/** The entries of its history of this kind. */
export const notesOf = (job: FakeJob, event: string) =>
	job.reports.flatMap((report) => (report.type === "note" && report.event === event ? [report] : []));

/** Moves a job if the transition table allows it. @returns whether it did. */
export function moveJob(job: FakeJob, to: JobStatus, from: readonly JobStatus[] = [job.status]): boolean {
	if (!from.includes(job.status) || !TRANSITIONS[job.status].includes(to)) return false;
	job.status = to;
	return true;
}

/** Ends a job whose capture has ended and whose video is complete, in either order. */
export function settleJob(job: FakeJob): void {
	const stopped = job.reports.find((report) => report.type === "stopped");
	if (stopped === undefined || !job.uploadComplete) return;
	moveJob(job, isFailedReason(stopped.stopReason) ? "failed" : "completed", ["uploading"]);
}

/** Applies a report. A repeated or late one changes nothing. */
export function applyReport(job: FakeJob, report: JobReport): void {
	if (job.reports.some(({ seq }) => seq === report.seq) || !moveByReport(job, report)) return;
	job.reports.push(report);
	settleJob(job);
}

/** @returns whether the job could make the move that the report demands. */
function moveByReport(job: FakeJob, report: JobReport): boolean {
	switch (report.type) {
		case "recording":
			return moveJob(job, "recording");
		case "stopped":
			return moveJob(job, "uploading");
		case "failed":
			return moveJob(job, "failed", ["starting", "recording"]);
		case "cancelled":
			return moveJob(job, "cancelled", ["starting"]);
		default:
			return true;
	}
}
