/** Which dashboard a recording is for. Job ids cannot tell: they start at 1 on every dashboard. */
import * as z from "zod";

export const dashboardSchema = z.object({
	/** Generated once by the dashboard; null before one was reached, and for older versions, which have none. */
	id: z.string().nullable(),
	/** TAPEDECK_URL when the recording started. */
	url: z.string(),
	organizationId: z.int().nullable(),
});
export type DashboardIdentity = z.infer<typeof dashboardSchema>;

/** A recording's dashboard, and its job there. */
export interface Origin {
	dashboard: DashboardIdentity;
	jobId: number | null;
}

/**
 * Whether a recording belongs to the dashboard that the runner is signed in to. `own`: yes. `other`: no. `unsure`: the
 * dashboard has to confirm that its job with this id is the same one.
 */
export function belonging({ dashboard, jobId }: Origin, to: DashboardIdentity): "own" | "unsure" | "other" {
	if (dashboard.organizationId !== null && dashboard.organizationId !== to.organizationId) return "other";
	if (dashboard.id !== null && to.id !== null) return dashboard.id === to.id ? "own" : "other";
	if (dashboard.url !== to.url) return "other";
	return to.id === null || jobId === null ? "own" : "unsure";
}
