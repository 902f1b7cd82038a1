import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { TestRunRow } from "./implied-results.ts";

/**
 * Notes that the run lives, and continues one that was ended because it was silent. Locks its row.
 * @param ctx its database must be a transaction.
 * @throws not_found
 */
export async function noteReport(ctx: Context, runId: number): Promise<TestRunRow> {
	const own = ctx.db
		.updateTable("testRun")
		.where("id", "=", runId)
		.where("organizationId", "=", ctx.actor.organizationId);
	const lastReportAt = ctx.clock.now();
	const row = await own.set({ lastReportAt }).returningAll().executeTakeFirst();
	if (row === undefined) throw notFound("test run");
	if (row.isAbandoned === 0) return row;
	const continued = { isAbandoned: 0, outcome: null, message: null, endedAt: null };
	return own.set(continued).returningAll().executeTakeFirstOrThrow();
}
