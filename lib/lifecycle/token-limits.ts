/** Limits of a runner's token: the displays and grids that it may record. */
import { isWithinGrids, parseGridPattern } from "@tapedeck/contract/grid-pattern.ts";
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import type { TokenLimits } from "@tapedeck/contract/token-limits.ts";

/** A runner's limits as stored; it has none if its token has none. */
type LimitedRunner = { name: string; limits: string | null };

export interface LimitRefusal {
	/** The field of a job's body that is refused. */
	path: "displayId" | "stopConditionConfig.gridUrl";
	/** The reason with which a queued job fails. */
	reason: "display_unavailable" | "grid_not_allowed";
	message: string;
}

export const readLimits = ({ limits }: { limits: string | null }): TokenLimits | null =>
	limits === null ? null : (JSON.parse(limits) as TokenLimits);

/** Why this runner may not record this; null if it may. */
export function limitRefusal(
	runner: LimitedRunner,
	job: { displayId: string; gridUrl: string | undefined },
): LimitRefusal | null {
	const limits = readLimits(runner);
	if (limits === null) return null;
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
