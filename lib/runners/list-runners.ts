/** `GET /v1/runners` and `GET /v1/runners/{id}`. Removed runners are listed only where they are asked for, by name. */
import type { Page } from "../contract/page.ts";
import type { Runner } from "../contract/runner.ts";
import type { Context } from "../core/context.ts";
import { pageFrom, readCursor } from "../core/cursor.ts";
import { notFound } from "../core/errors.ts";
import { runnerViews } from "./runner-view.ts";

/**
 * The caller's runners in the order in which they first came, or with `removed` those that were removed, whose
 * names their jobs still show.
 *
 * @throws validation_failed at `cursor`.
 */
export async function listRunners(
	ctx: Context,
	query: { limit: number; cursor?: string; removed?: boolean },
): Promise<Page<Runner>> {
	let runners = ctx.db
		.selectFrom("runner")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("removedAt", query.removed === true ? "is not" : "is", null)
		.orderBy("id")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) runners = runners.where("id", ">", readCursor(query.cursor));
	const page = pageFrom(await runners.execute(), query.limit, (row) => row);
	return { ...page, data: await runnerViews(ctx, page.data) };
}

/** @throws not_found for a runner that the caller's organization does not have, or no more. */
export async function readRunner(ctx: Context, runnerId: number): Promise<Runner> {
	const row = await ctx.db
		.selectFrom("runner")
		.selectAll()
		.where("id", "=", runnerId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("removedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) throw notFound("runner");
	const [runner] = await runnerViews(ctx, [row]);
	if (runner === undefined) throw notFound("runner");
	return runner;
}
