/**
 * Server-sent events of `GET /v1/events`: the event name is `type`, the data is the whole object as the API returns it.
 * `resync` means that events were lost: fetch everything again.
 */
import type { Job } from "./job.ts";
import type { Recording } from "./recording.ts";
import type { Runner } from "./runner.ts";
import type { Storage } from "./storage.ts";

export type LiveEvent =
	| { type: "job"; data: Job }
	| { type: "recording"; data: Recording }
	| { type: "recording_deleted"; data: { id: number; jobId: number | null } }
	/** Markers of the job, shown in the recording, were added or deleted. */
	| { type: "markers"; data: { jobId: number | null; recordingId: number | null } }
	/** Test results of the job, the uploaded recording, or the test run were added or changed. */
	| { type: "tests"; data: { jobId: number | null; recordingId: number | null; testRunId: number | null } }
	| { type: "runner"; data: Runner }
	| { type: "runner_removed"; data: { id: number } }
	| { type: "storage"; data: Storage }
	/** Members changed, or their roles: the listener's own or someone else's. */
	| { type: "members"; data: Record<string, never> }
	| { type: "resync"; data: Record<string, never> };
export const LIVE_EVENT_TYPES = [
	"job",
	"recording",
	"recording_deleted",
	"markers",
	"tests",
	"runner",
	"runner_removed",
	"storage",
	"members",
	"resync",
] as const satisfies readonly LiveEvent["type"][];
