/** One job: read, and shown to people. */

import type { Job } from "@tapedeck/client-source/index.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { styled } from "../../base/terminal.ts";
import { formatSize } from "../format.ts";
import type { ApiCall } from "./api-command.ts";
import { about } from "./dashboard-client.ts";
import { coloredState, labelText, localTime } from "./table.ts";

export const readJob = ({ client }: ApiCall, id: number): Promise<Job> => about(`Job ${id}`, client.jobs.get(id));

/** A job with its settings and its page. */
export function describeJob({ client }: ApiCall, job: Job): string {
	const { recording, error, stopReason, outcome, deleteAt = null } = { ...job, deleteAt: job.recording?.deleteAt };
	const reason = stopReason === null ? "" : ` (${stopReason})`;
	const verdict = recording?.verdict ? `, ${coloredState(recording.verdict)}` : "";
	// Only a video has a length.
	const length = recording?.kind === "video" ? formatDuration(recording.durationSeconds) : recording?.kind;
	const file = recording && `${recording.id}, ${length}, ${formatSize(recording.bytes)}`;
	const lines: [string, string | null][] = [
		["status", coloredState(job.status) + reason],
		["error", error === null ? null : error.message],
		["outcome", outcome === null ? null : coloredState(outcome)],
		["runner", String(job.runnerId)],
		["created", localTime(job.createdAt)],
		["recording", file === null ? null : file + verdict],
		["deleted at", deleteAt === null ? null : localTime(deleteAt)],
		["labels", labelText(job.labels) || null],
		["page", `${client.url}/jobs/${job.id}`],
	];
	const shown = lines.filter((line): line is [string, string] => line[1] !== null);
	return [
		`Job ${job.id} "${styled("bold", job.name)}"${job.displayId === "" ? "" : ` on ${job.displayId}`}`,
		...shown.map(([name, value]) => `  ${name.padEnd(10)} ${value}`),
	].join("\n");
}
