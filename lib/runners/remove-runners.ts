/** `POST /v1/runners/remove`: removes several runners, each as `DELETE /v1/runners/{id}` does. */
import type { RemovedRunners } from "@tapedeck/contract/runner.ts";
import type { Context } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { removeRunner } from "./remove-runner.ts";

/**
 * Ids that name no runner of the actor's organization change nothing.
 * @param signal ends it between two runners.
 */
export async function removeRunners(
	ctx: Context,
	runnerIds: readonly number[],
	signal: AbortSignal,
): Promise<RemovedRunners> {
	const removed: number[] = [];
	for (const id of new Set(runnerIds)) {
		if (signal.aborted) break;
		try {
			await removeRunner(ctx, id);
			removed.push(id);
		} catch (error) {
			if (!(isTapedeckError(error) && error.code === "not_found")) throw error;
		}
	}
	return { runnerIds: removed };
}
