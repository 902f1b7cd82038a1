import type { Context } from "#lib/core/context.ts";

/** A day longer than migration 0007 protects entries: the database's clock may be behind ours. */
const KEPT_MS = 366 * 86_400_000;
const BATCH = 1_000;

/** Deletes audit log entries that are older than a year, on a timer. @returns how many were deleted. */
export async function sweepAudit(ctx: Pick<Context, "db" | "clock">): Promise<number> {
	const before = ctx.clock.now() - KEPT_MS;
	let deleted = 0;
	for (;;) {
		const { numDeletedRows } = await ctx.db
			.deleteFrom("auditEntry")
			.where("id", "in", (old) => old.selectFrom("auditEntry").select("id").where("at", "<", before).limit(BATCH))
			.executeTakeFirstOrThrow();
		deleted += Number(numDeletedRows);
		if (numDeletedRows < BATCH) return deleted;
	}
}
