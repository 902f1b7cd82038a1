/** Which words of few letters a job's facts get: what a row tells. Apart from those of the drawer, which come later. */
import { formatSpan } from "#lib/client/format.ts";
import type { Job } from "#lib/contract/job.ts";
import { FAILED_SOMEHOW, FAILURE_TITLES } from "#lib/texts/job-words.ts";

/** The heading of a failed job. */
export const failureTitle = (job: Job): string => (job.error ? FAILURE_TITLES[job.error.code] : FAILED_SOMEHOW);

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
