/** Whether a job lies outside of what the runner's operator allows. */
import { normalizeGridUrl } from "#lib/contract/stop-condition.ts";
import { gridNotAllowed } from "./grid/allowed-grids.ts";
import type { Services } from "./services.ts";
import type { JobSpool } from "./spool.ts";
import type { StopDecision } from "./stop-conditions/stop-condition.ts";

/**
 * @returns why the job has to end at once; null when it is allowed. Judged when the runner takes the job, and again when
 * it takes it up after a restart, because the lists may be others by then.
 */
export function outsideOf(services: Services, job: JobSpool["manifest"]): StopDecision | null {
	const display = services.displays.notAllowed(job.displayId);
	if (display !== null) return { reason: "display_unavailable", message: display };
	const { gridUrl } = job.stopConditionConfig;
	if (typeof gridUrl !== "string" || services.config.allowedGrids.has(normalizeGridUrl(gridUrl))) return null;
	return { reason: "grid_not_allowed", message: gridNotAllowed(gridUrl) };
}
