/** Identifies the dashboard of a recording. Job ids cannot: they start at 1 on every dashboard. */
import * as z from "zod";

export const dashboardSchema = z.object({
	/** Generated once by the dashboard; null before one was reached, like the organization's. */
	id: z.string().nullable(),
	/** TAPEDECK_URL when the recording started. */
	url: z.string(),
	organizationId: z.int().nullable(),
});
export type DashboardIdentity = z.infer<typeof dashboardSchema>;

/** Whether a recording that was made for `recordings` belongs to the dashboard that the runner is signed in to. */
export function isFor(dashboard: DashboardIdentity, recordings: DashboardIdentity): boolean {
	if (recordings.id === null) return recordings.url === dashboard.url;
	return recordings.id === dashboard.id && recordings.organizationId === dashboard.organizationId;
}
