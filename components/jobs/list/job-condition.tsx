import type { Job } from "@tapedeck/contract/job.ts";
import { formatSpan } from "#lib/client/format.ts";
import { STOP_CONDITION_LABELS, TYPE_LABELS } from "../job-labels.ts";

/** The stop condition in a few words: `Duration · 30 s`. */
export function JobCondition({ job }: { job: Job }) {
	const detail = conditionDetail(job);
	return (
		<span title={detail === "" ? undefined : detail}>
			{job.stopCondition === null ? TYPE_LABELS[job.type] : STOP_CONDITION_LABELS[job.stopCondition]}
			{detail === "" ? null : (
				<span className="text-muted">
					{" · "}
					{detail}
				</span>
			)}
		</span>
	);
}

/** `30 s`, the grid's host, or nothing. */
function conditionDetail(job: Job): string {
	switch (job.stopCondition) {
		case "duration":
			return formatSpan(job.stopConditionConfig.durationSeconds);
		case null:
			return job.type === "file_upload" ? job.path : "";
		case "interrupt":
			return "";
		case "selenium_idle":
		case "selenium_session":
			return URL.canParse(job.stopConditionConfig.gridUrl)
				? new URL(job.stopConditionConfig.gridUrl).host
				: job.stopConditionConfig.gridUrl;
	}
}
