import type { Context } from "../core/context.ts";

/** A day longer than the table holds entries for (migration 0007): the database's own clock may be behind ours. */
const KEPT_MS = 366 * 86_400_000;
const BATCH = 1_000;

/** Removes entries of the audit log that are older than a year, for a timer. @returns how many went. */
export async function sweepAudit(ctx: Pick<Context, "db" | "clock">): Promise<number> {
	const before = ctx.clock.now() - KEPT_MS;
	let gone = 0;
	for (;;) {
		const { numDeletedRows } = await ctx.db
			.deleteFrom("auditEntry")
			.where("id", "in", (old) => old.selectFrom("auditEntry").select("id").where("at", "<", before).limit(BATCH))
			.executeTakeFirstOrThrow();
		gone += Number(numDeletedRows);
		if (numDeletedRows < BATCH) return gone;
	}
}
