/** Which words the ending of a job gets. */
import { formatLength } from "#lib/client/format.ts";
import type { Ending } from "#lib/client/job-ending.ts";
import type { Job } from "#lib/contract/job.ts";
import { endingTexts } from "#lib/texts/job-drawer.ts";

/** Why a job that did not fail has ended, with what decided it and what the video lacks; null while it has not. */
export function endedWords(job: Job, ending: Ending): string | null {
	const words = reasonWords(job, ending);
	if (words === null || ending.stalls === 0) return words;
	return `${words} ${endingTexts.stalled(ending.stalls, formatLength(ending.stalledSeconds))}`;
}

function reasonWords(job: Job, ending: Ending): string | null {
	if (job.status === "cancelled") return endingTexts.cancelledBeforeCapture(ending.by);
	const length = ending.recordedSeconds === null ? null : formatLength(ending.recordedSeconds);
	const { kept } = endingTexts;
	switch (job.stopReason) {
		case "duration_elapsed":
			return endingTexts.durationElapsed(length);
		case "cancelled": {
			const words = endingTexts.cancelled(ending.by, length);
			return job.stopCondition === "interrupt" ? words : `${words} ${kept}`;
		}
		case "selenium_idle":
			return idleWords(job, ending);
		case "runner_shutdown":
			return `${endingTexts.runnerShutdown} ${kept}`;
		case "grid_unreachable":
			return `${endingTexts.gridUnreachable(gridUrlOf(job), ending.polls.at(-1)?.why ?? null)} ${kept}`;
		default:
			return null;
	}
}

function idleWords(job: Job, ending: Ending): string {
	const gridUrl = gridUrlOf(job);
	if (gridUrl === null || ending.polls.length < 2) return endingTexts.idleUnseen;
	return endingTexts.idle(formatLength(ending.pollSeconds), gridUrl, ending.zeros);
}

/** What was seen that made the job fail, beyond the runner's own sentence; null when there is nothing to add. */
export function failureObservation(job: Job, ending: Ending): string | null {
	const last = ending.polls.at(-1);
	if (last === undefined) return null;
	if (job.stopReason === "grid_unauthorized" && last.status !== null) {
		return endingTexts.gridAnswered(last.status, ending.polls.length);
	}
	return last.why === null ? null : endingTexts.lastAnswer(last.why);
}

const gridUrlOf = (job: Job): string | null =>
	job.stopCondition === "selenium_idle" ? job.stopConditionConfig.gridUrl : null;
