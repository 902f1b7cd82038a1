/**
 * The ends of builds. A build is finished when a caller has said so and its jobs have ended, or when nothing has happened to
 * it for a while. It finishes once, whatever comes later.
 */
import type { BuildEnd, FinishBuild } from "@tapedeck/contract/webhook.ts";
import { type RawBuilder, sql } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestampOrNull } from "#lib/core/times.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { bringBuildsBack } from "./clock-set-back.ts";

/** Without a change for so long, a build whose jobs have ended is finished. */
export const QUIET_MS = 15 * 60_000;
/** Builds that were quiet longer ago than this, such as before there was a webhook, finish without a word. */
const FORGOTTEN_MS = 24 * 3_600_000;
const AT_ONCE = 100;

/** `POST /v1/builds/{build}/finish`. A repeated call changes how many jobs are expected. @throws not_found */
export async function finishBuild(ctx: Context, name: string, body: FinishBuild): Promise<BuildEnd> {
	const expectedJobs = body.expectedJobs ?? null;
	const { organizationId } = ctx.actor;
	return inTransaction(ctx, async (ctx) => {
		const build = await ctx.db
			.selectFrom("build")
			.select(["jobs", "unfinishedJobs"])
			.where("organizationId", "=", organizationId)
			.where("name", "=", name)
			.where(sql<boolean>`(recordings > 0 or jobs > 0)`)
			.executeTakeFirst();
		if (build === undefined) throw notFound("build");
		await ctx.db
			.insertInto("buildEnd")
			.values({ organizationId, name, expectedJobs, finishedAt: null })
			.onConflict((conflict) => conflict.columns(["organizationId", "name"]).doUpdateSet({ expectedJobs }))
			.execute();
		await audit(ctx, { action: "build.finish_announced", detail: { build: name, expectedJobs } });
		await finishIf(ctx, organizationId, name);
		const { finishedAt } = await ctx.db
			.selectFrom("buildEnd")
			.select("finishedAt")
			.where("organizationId", "=", organizationId)
			.where("name", "=", name)
			.executeTakeFirstOrThrow();
		const endedJobs = build.jobs - build.unfinishedJobs;
		return { build: name, expectedJobs, endedJobs, finishedAt: timestampOrNull(finishedAt) };
	}).then((end) => {
		ctx.events.publish({ type: "webhooks", organizationId });
		return end;
	});
}

/** Finishes builds whose end was announced and has come. */
export async function finishAnnouncedBuilds(ctx: Context): Promise<void> {
	const announced = await ctx.db
		.selectFrom("buildEnd")
		.innerJoin("build", (join) =>
			join.onRef("build.organizationId", "=", "buildEnd.organizationId").onRef("build.name", "=", "buildEnd.name"),
		)
		.select(["buildEnd.organizationId", "buildEnd.name"])
		.where("buildEnd.finishedAt", "is", null)
		.where(sql<boolean>`${hasEnded} and build.jobs >= coalesce("buildEnd"."expectedJobs", 0)`)
		.limit(AT_ONCE)
		.execute();
	await finishAll(ctx, announced);
}

/** Finishes builds to which nothing has happened for a while, in organizations with a webhook for it. */
export async function finishQuietBuilds(ctx: Context): Promise<void> {
	await bringBuildsBack(ctx);
	const now = ctx.clock.now();
	const begins = now - FORGOTTEN_MS;
	const quiet = (within: RawBuilder<boolean>) =>
		ctx.db
			.selectFrom("build")
			.innerJoin("webhook", "webhook.organizationId", "build.organizationId")
			.leftJoin("buildEnd", (join) =>
				join.onRef("build.organizationId", "=", "buildEnd.organizationId").onRef("build.name", "=", "buildEnd.name"),
			)
			.select(["build.organizationId", "build.name"])
			.distinct()
			.where("webhook.events", "like", '%"build.finished"%')
			.where(within)
			.where("buildEnd.finishedAt", "is", null)
			.where(hasEnded)
			.where(sql<boolean>`coalesce(build."endedAt", build."lastAt") < ${now - QUIET_MS}`)
			.where("build.lastAt", "<", now - QUIET_MS)
			.limit(AT_ONCE)
			.execute();
	// Each by its own index. The jobs of the second ones ran for longer than that.
	await finishAll(ctx, await quiet(sql`build."lastAt" > ${begins}`));
	await finishAll(ctx, await quiet(sql`build."endedAt" > ${begins} and build."lastAt" <= ${begins}`));
}

async function finishAll(ctx: Context, builds: readonly { organizationId: number; name: string }[]): Promise<void> {
	for (const { organizationId, name } of builds) {
		await inTransaction(ctx, (ctx) => finishIf(ctx, organizationId, name, { isQuiet: true }));
	}
	if (builds.length > 0) ctx.events.publish({ type: "webhooks", organizationId: 0 });
}

const hasEnded = sql<boolean>`(build."unfinishedJobs" = 0 and build.running = 0 and (build.recordings > 0 or build.jobs > 0))`;

/** Finishes a build if its jobs have ended, with its event. @param ctx its database must be a transaction. */
async function finishIf(
	ctx: Context,
	organizationId: number,
	name: string,
	{ isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<void> {
	const build = await ctx.db
		.selectFrom("build")
		.leftJoin("buildEnd", (join) =>
			join.onRef("build.organizationId", "=", "buildEnd.organizationId").onRef("build.name", "=", "buildEnd.name"),
		)
		.select(["build.jobs", "buildEnd.expectedJobs"])
		.where("build.organizationId", "=", organizationId)
		.where("build.name", "=", name)
		.where(hasEnded)
		.executeTakeFirst();
	if (build === undefined || (!isQuiet && build.jobs < (build.expectedJobs ?? 0))) return;
	const finishedAt = ctx.clock.now();
	const finished = await ctx.db
		.insertInto("buildEnd")
		.values({ organizationId, name, expectedJobs: null, finishedAt })
		.onConflict((conflict) =>
			conflict.columns(["organizationId", "name"]).doUpdateSet({ finishedAt }).where("buildEnd.finishedAt", "is", null),
		)
		.returning("name")
		.executeTakeFirst();
	if (finished !== undefined) await noteEvents(ctx, "build.finished", organizationId, [name]);
}
