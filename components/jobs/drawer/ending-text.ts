/** The drawer's text about the end of a job. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { JobType } from "@tapedeck/contract/job-status.ts";
import { counted, formatLength } from "#lib/client/format.ts";
import type { Ending } from "../job-ending.ts";

const KEPT = "Everything recorded until then is saved.";

/** Why a job that did not fail has ended, with what decided it and what the video lacks; null while it has not. */
export function endedText(job: Job, ending: Ending): string | null {
	const text = reasonText(job, ending);
	if (text === null || ending.stalls === 0) return text;
	const length = formatLength(ending.stalledSeconds);
	return ending.stalls === 1
		? `${text} Capture stalled for ${length}; the video holds the last frame before it.`
		: `${text} Capture stalled ${ending.stalls} times, ${length} in total; the video holds the last frame before each stall.`;
}

const NOTHING: Record<JobType, string> = {
	recording: "before the first frame, so there is no video",
	screenshot: "before the first frame, so there is no picture",
	file_upload: "before the whole file was sent, so nothing of it is kept",
};

function reasonText(job: Job, ending: Ending): string | null {
	if (job.status === "cancelled")
		return `Cancelled${ending.by === null ? "" : ` by ${ending.by}`} ${NOTHING[job.type]}.`;
	const length = ending.recordedSeconds === null ? null : formatLength(ending.recordedSeconds);
	switch (job.stopReason) {
		case "duration_elapsed":
			return length === null ? "Reached its duration." : `Reached its duration of ${length}.`;
		case "cancelled": {
			const verb = job.stopCondition === "interrupt" ? "Stopped" : "Cancelled";
			const text = `${verb}${ending.by === null ? "" : ` by ${ending.by}`}${length === null ? "" : ` after ${length}`}.`;
			return job.stopCondition === "interrupt" ? text : `${text} ${KEPT}`;
		}
		case "selenium_idle":
			return idleText(job, ending);
		case "duration_cap": {
			const cap = job.maxDurationSeconds;
			return `Reached its maximum length${cap === null ? "" : ` of ${formatLength(cap)}`}. ${KEPT}`;
		}
		case "runner_shutdown":
			return `Stopped: the runner shut down. ${KEPT}`;
		case "session_ended":
			return length === null ? "Stopped: the session ended." : `Stopped after ${length}: the session ended.`;
		case "grid_unreachable":
			return `${unreachableText(gridUrlOf(job), ending.polls.at(-1)?.why ?? null)} ${KEPT}`;
		case "captured":
			return "The picture is stored.";
		case "file_sent":
			return "The file is stored.";
		default:
			return null;
	}
}

const unreachableText = (gridUrl: string | null, why: string | null): string =>
	`Stopped: the grid${gridUrl === null ? "" : ` at ${gridUrl}`} was unreachable for 60 seconds${why === null ? "" : `: ${why}`}.`;

function idleText(job: Job, ending: Ending): string {
	const gridUrl = gridUrlOf(job);
	if (gridUrl === null || ending.polls.length < 2) return "Stopped: no Selenium sessions for 5 s.";
	return `Stopped: no Selenium sessions for ${formatLength(ending.pollSeconds)} (${counted(ending.zeros, "check", "checks")} of ${gridUrl}).`;
}

/** The observation that made the job fail, beyond the runner's own message; null when there is nothing to add. */
export function failureObservation(job: Job, ending: Ending): string | null {
	const last = ending.polls.at(-1);
	if (last === undefined) return null;
	if (job.stopReason === "grid_unauthorized" && last.status !== null) {
		return `The grid answered ${last.status} to ${counted(ending.polls.length, "check", "checks")} in a row.`;
	}
	return last.why === null ? null : `Last check: ${last.why}.`;
}

const gridUrlOf = (job: Job): string | null =>
	job.stopConditionConfig !== null && "gridUrl" in job.stopConditionConfig ? job.stopConditionConfig.gridUrl : null;
