import type { Context } from "./context.ts";

/** Runs `work` in one transaction, with a context whose database is that transaction. */
export function inTransaction<C extends Pick<Context, "db">, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
	return ctx.db.transaction().execute((db) => work({ ...ctx, db }));
}
