/** The build that another one is compared with. */
import { DEFAULT_BRANCHES, isSameSeries, type SeriesOf } from "@tapedeck/contract/series.ts";
import type { Context } from "#lib/core/context.ts";

/** Builds of other series are passed over, so many at most. */
const LOOKED_AT = 1_000;

type Before = SeriesOf & { branch: string | null };

/**
 * The last build with results before this one in its series: on its branch, or, if it is the first one there, on the default
 * branch.
 * @param branch of this build.
 * @returns null if there is none.
 */
export async function buildBefore(ctx: Context, name: string, branch: string | null): Promise<Before | null> {
	const build = await ctx.reads
		.selectFrom("build")
		.select(["name", "repository", "workflow", "firstAt"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("name", "=", name)
		.executeTakeFirst();
	if (build === undefined) return null;
	for (const one of new Set([branch, ...DEFAULT_BRANCHES])) {
		const earlier = await earlierOn(ctx, build, one);
		const found = earlier.find((other) => isSameSeries(build, other));
		if (found !== undefined) return found;
	}
	return null;
}

/** Builds of the same repository and workflow that began before, the last one first. */
function earlierOn(
	ctx: Context,
	{ name, repository, workflow, firstAt }: SeriesOf & { firstAt: number },
	branch: string | null,
): Promise<Before[]> {
	const isLabelled = repository !== null && workflow !== null;
	return ctx.reads
		.selectFrom("build")
		.select(["name", "branch", "repository", "workflow"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("repository", repository === null ? "is" : "=", repository)
		.where("workflow", workflow === null ? "is" : "=", workflow)
		.where("branch", branch === null ? "is" : "=", branch)
		.where("firstAt", "<=", firstAt)
		.where("name", "<>", name)
		.where("tests", ">", 0)
		.orderBy("firstAt", "desc")
		.limit(isLabelled ? 1 : LOOKED_AT)
		.execute();
}
