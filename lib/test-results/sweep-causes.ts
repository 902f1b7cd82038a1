/** Moves failures of older rules to their cause by the current ones, in the background: see lib/test-results/store/update-causes.ts. */
import type { Context } from "#lib/core/context.ts";
import { CAUSES_AT_ONCE, updateSomeCauses } from "./store/update-causes.ts";

/** Stops when `signal` aborts, and continues with the next sweep. */
export async function sweepCauses(ctx: Context, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		const moved = await ctx.db.transaction().execute((db) =>
			updateSomeCauses({ ...ctx, db }, (outdated) =>
				// Never waits for a transaction that stores results.
				ctx.dialect === "postgres" ? outdated.forUpdate().skipLocked() : outdated,
			),
		);
		if (moved < CAUSES_AT_ONCE) return;
	}
}
