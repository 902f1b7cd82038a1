/** Limits of a runner's token: what it may do, and the displays and grids that it may record. */
import { isWithinGrids, parseGridPattern } from "@tapedeck/contract/grid-pattern.ts";
import type { JobType } from "@tapedeck/contract/job-status.ts";
import type { Capability } from "@tapedeck/contract/permissions.ts";
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import type { TokenLimits } from "@tapedeck/contract/token-limits.ts";
import { CAPABILITY_OF, DOES } from "#lib/core/capabilities.ts";

/** A runner's limits as stored; it has none if its token has none. */
type LimitedRunner = { name: string; limits: string | null };

export interface LimitRefusal {
	/** The field of a job's body that is refused. */
	path: "displayId" | "stopConditionConfig.gridUrl" | "runnerId";
	/** The reason with which a queued job fails. */
	reason: "display_unavailable" | "grid_not_allowed" | "not_supported";
	message: string;
}

export const readLimits = ({ limits }: { limits: string | null }): TokenLimits | null =>
	limits === null ? null : (JSON.parse(limits) as TokenLimits);

/** Why this runner may not record this; null if it may. */
export function limitRefusal(
	runner: LimitedRunner,
	job: { type: JobType; displayId: string; gridUrl: string | undefined },
): LimitRefusal | null {
	const limits = readLimits(runner);
	if (limits === null) return null;
	const capability = CAPABILITY_OF[job.type];
	if (!isCapable(limits, capability)) {
		return {
			path: "runnerId",
			reason: "not_supported",
			message: `${runner.name} signed in with a token that does not allow to ${DOES[capability]}. Choose another runner, or give it a token whose capabilities have "${capability}".`,
		};
	}
	// It has no display.
	if (job.type === "file_upload") return null;
	const { displays } = limits;
	if (displays !== null && !displays.includes(job.displayId)) {
		return {
			path: "displayId",
			reason: "display_unavailable",
			message: `${runner.name} signed in with a token for ${displays.join(", ")} only, not for ${job.displayId === NEW_DISPLAY ? "new ones" : job.displayId}. Choose another display or another runner.`,
		};
	}
	if (job.gridUrl === undefined || isGridAllowed(limits, job.gridUrl)) return null;
	return {
		path: "stopConditionConfig.gridUrl",
		reason: "grid_not_allowed",
		message: `${runner.name} signed in with a token that does not allow the grid at ${job.gridUrl}. Choose another runner, or give it a token that allows this grid.`,
	};
}

export const isCapable = (limits: TokenLimits | null, capability: Capability): boolean =>
	limits?.capabilities?.includes(capability) ?? true;

export function isGridAllowed({ grids }: Pick<TokenLimits, "grids">, gridUrl: string): boolean {
	if (grids === null) return true;
	return isWithinGrids(
		gridUrl,
		grids.flatMap((word) => parseGridPattern(word) ?? []),
	);
}

/** The grid of a stored job; undefined if it watches none. */
export const gridUrlOf = (job: { stopConditionConfig: string }): string | undefined =>
	(JSON.parse(job.stopConditionConfig) as { gridUrl?: string }).gridUrl;
