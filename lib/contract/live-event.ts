/**
 * Server-sent events of `GET /v1/events`: the event's name is `type`, its data the whole thing as the API
 * answers it. `resync` says that something was missed: fetch everything again.
 */
import type { Job } from "./job.ts";
import type { Recording } from "./recording.ts";
import type { Runner } from "./runner.ts";
import type { Storage } from "./storage.ts";

export type LiveEvent =
	| { type: "job"; data: Job }
	| { type: "recording"; data: Recording }
	| { type: "recording_deleted"; data: { id: number; jobId: number | null } }
	/** Markers were added or taken away: of the job, shown in the recording. */
	| { type: "markers"; data: { jobId: number | null; recordingId: number | null } }
	| { type: "runner"; data: Runner }
	| { type: "runner_removed"; data: { id: number } }
	| { type: "storage"; data: Storage }
	/** Who belongs to the organization, and as what, changed: of others or of the one who listens. */
	| { type: "members"; data: Record<string, never> }
	| { type: "resync"; data: Record<string, never> };
export const LIVE_EVENT_TYPES = [
	"job",
	"recording",
	"recording_deleted",
	"markers",
	"runner",
	"runner_removed",
	"storage",
	"members",
	"resync",
] as const satisfies readonly LiveEvent["type"][];
