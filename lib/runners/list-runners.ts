/** `GET /v1/runners` and `GET /v1/runners/{id}`. Removed runners are listed only on request. */
import type { Page } from "@tapedeck/contract/page.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import type { Context } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import type { RunnerDownloads } from "./install/runner-downloads.ts";
import { type RunnerRow, runnerViews } from "./runner-view.ts";

/**
 * The caller's runners in order of their first sign-in; with `removed` only the removed ones, whose names their jobs
 * still show.
 *
 * @throws validation_failed at `cursor`.
 */
export async function listRunners(
	ctx: Context,
	downloads: RunnerDownloads,
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
	return { ...page, data: await runnerViews(ctx, downloads, page.data) };
}

/** @throws not_found if the caller's organization has no such runner, or it was removed. */
export async function readRunner(ctx: Context, downloads: RunnerDownloads, runnerId: number): Promise<Runner> {
	const [runner] = await runnerViews(ctx, downloads, [await readRunnerRow(ctx, runnerId)]);
	if (runner === undefined) throw notFound("runner");
	return runner;
}

/** @throws as readRunner. */
export async function readRunnerRow(ctx: Context, runnerId: number): Promise<RunnerRow> {
	const row = await ctx.db
		.selectFrom("runner")
		.selectAll()
		.where("id", "=", runnerId)
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("removedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) throw notFound("runner");
	return row;
}
