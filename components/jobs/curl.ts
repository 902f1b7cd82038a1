/** `curl` commands that create jobs and schedules. */
import type { Job } from "@tapedeck/contract/job.ts";
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import { shellQuoted } from "@tapedeck/contract/shell.ts";

// Placeholder for the password until the text is quoted; it cannot be typed into a form field.
const PASSWORD = "\u0000password\u0000";

/**
 * A command that creates a job, or a schedule. It reads the API key and the grid password from shell variables, so that they appear
 * neither on the screen nor in the shell history.
 * @param body of the request; may be incomplete
 */
export function curlOf(baseUrl: string, body: object, path: "/v1/jobs" | "/v1/schedules" = "/v1/jobs"): string {
	const text = JSON.stringify(body, (key, value) => (key === "gridPassword" && value !== undefined ? PASSWORD : value));
	const json = shellQuoted(text).replace(JSON.stringify(PASSWORD).slice(1, -1), `'"$GRID_PASSWORD"'`);
	return [
		`curl -X POST ${shellQuoted(baseUrl + path)} \\`,
		`  -H "Authorization: Bearer $TAPEDECK_API_KEY" \\`,
		"  -H 'Content-Type: application/json' \\",
		`  -d ${json}`,
	].join("\n");
}

/** Whether the job's grid needs a password. The API never returns it, so it has to be entered again. */
export const hasGridPassword = (job: Job): boolean =>
	job.stopConditionConfig !== null &&
	"gridUsername" in job.stopConditionConfig &&
	job.stopConditionConfig.gridUsername !== undefined;

function placeOf(job: Job): object {
	const { runnerId, displayId, selector, display } = job;
	if (job.type === "file_upload") return { runnerId, path: job.path };
	if (selector !== null) return { selector };
	return { runnerId, displayId: display === undefined ? displayId : NEW_DISPLAY };
}

/** A command that creates the same job again. */
export function curlOfJob(baseUrl: string, job: Job): string {
	const { name, labels, keep, maxDurationSeconds, video, preSeconds, display } = job;
	const { stopCondition, stopConditionConfig } = job;
	const password = hasGridPassword(job) ? { gridPassword: PASSWORD } : {};
	const config = { ...stopConditionConfig, ...password };
	return curlOf(baseUrl, {
		...placeOf(job),
		...(display?.width === undefined ? {} : { display }),
		name,
		keep,
		...(Object.keys(labels).length > 0 ? { labels } : {}),
		// A job with a duration has no other end.
		...(maxDurationSeconds === null || stopCondition === "duration" ? {} : { maxDurationSeconds }),
		...(Object.keys(video).length > 0 ? { video } : {}),
		...(preSeconds > 0 ? { preSeconds } : {}),
		...(stopCondition === null ? { type: job.type } : { stopCondition, stopConditionConfig: config }),
	});
}
