/** Which dashboard a recording is for. Numbers of jobs say nothing about that: every dashboard begins at 1. */
import * as z from "zod";

export const dashboardSchema = z.object({
	/** Made once by the dashboard; null while none has been reached, and of one that has no id yet (an older version). */
	id: z.string().nullable(),
	/** TAPEDECK_URL when the recording began. */
	url: z.string(),
	organizationId: z.int().nullable(),
});
export type DashboardIdentity = z.infer<typeof dashboardSchema>;

/** What a recording knows of its dashboard and its job there. */
export interface Origin {
	/** Null from runners that did not write it down. */
	dashboard: DashboardIdentity | null;
	jobId: number | null;
}

/**
 * Whether a recording belongs to the dashboard that the runner is signed in to. `own`: yes. `other`: no. `unsure`: the
 * dashboard has to say whether it means the same job by that number.
 */
export function belonging({ dashboard, jobId }: Origin, to: DashboardIdentity): "own" | "unsure" | "other" {
	const withoutJob = jobId === null ? "own" : "unsure";
	// Recordings from before identities cannot be told apart: an older dashboard gets them, as it always did.
	if (dashboard === null) return to.id === null ? "own" : withoutJob;
	if (dashboard.organizationId !== null && dashboard.organizationId !== to.organizationId) return "other";
	if (dashboard.id !== null && to.id !== null) return dashboard.id === to.id ? "own" : "other";
	if (dashboard.url !== to.url) return "other";
	return to.id === null ? "own" : withoutJob;
}
