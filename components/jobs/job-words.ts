/** What jobs say to people. */
import { formatSpan } from "#lib/client/format.ts";
import type { FailedReason, Job } from "#lib/contract/job.ts";
import type { StopCondition } from "#lib/contract/stop-condition.ts";

/** What an ending means, for those who choose. */
export const STOP_CONDITION_HINTS: Record<StopCondition, string> = {
	duration: "Stops by itself after a set time.",
	interrupt: "Records until the job is cancelled.",
	selenium_idle: "Stops when a Selenium Grid has had no session for 5 seconds.",
};

const FAILED_WORDS: Record<FailedReason, string> = {
	display_lost: "The display went away",
	display_unavailable: "The display was not there",
	storage_full: "The disk is full",
	runner_lost: "The runner went silent",
	runner_removed: "The runner was removed",
	grid_unauthorized: "The grid refused the credentials",
	grid_not_recognised: "No Selenium Grid was recognised",
	ffmpeg_failed: "The recorder failed",
};

/** The heading of a failed job. */
export const failureTitle = (job: Job): string => (job.error ? FAILED_WORDS[job.error.code] : "The job failed");

/** Why a job that did not fail has ended, as a sentence; null while it has not. */
export function endedWords(job: Job): string | null {
	if (job.status === "cancelled") return "Cancelled before anything was captured, so there is no video.";
	switch (job.stopReason) {
		case "duration_elapsed":
			return job.stopCondition === "duration"
				? `Stopped after ${formatSpan(job.stopConditionConfig.durationSeconds)}, as asked.`
				: "Stopped after the time that was asked for.";
		case "cancelled":
			return job.stopCondition === "interrupt"
				? "Stopped by a cancel, the way an interrupt recording ends."
				: "Stopped early by a cancel. What was captured is kept.";
		case "selenium_idle":
			return "Stopped because the grid had no session for 5 seconds.";
		case "runner_shutdown":
			return "Stopped because its runner was shut down. What was captured is kept.";
		case "grid_unreachable":
			return "Stopped because the grid could not be reached for 60 seconds. What was captured is kept.";
		default:
			return null;
	}
}

/** A job's condition in a few words: `30 s`, the grid's host, or nothing. */
export function conditionDetail(job: Job): string {
	switch (job.stopCondition) {
		case "duration":
			return formatSpan(job.stopConditionConfig.durationSeconds);
		case "interrupt":
			return "";
		case "selenium_idle":
			return URL.canParse(job.stopConditionConfig.gridUrl)
				? new URL(job.stopConditionConfig.gridUrl).host
				: job.stopConditionConfig.gridUrl;
	}
}
