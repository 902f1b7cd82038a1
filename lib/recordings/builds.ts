/** `GET /v1/builds` and `GET /v1/builds/{build}`: counted by triggers as jobs, recordings and results change. */
import type { Build, ListBuildsQuery } from "@tapedeck/contract/build.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { type Selectable, sql } from "kysely";
import type { Context, Database } from "#lib/core/context.ts";
import { invalidCursor } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { BuildTable } from "#lib/db/schema.ts";
import { buildConditions } from "./build-search.ts";

type BuildRow = Selectable<BuildTable>;

/**
 * Builds, the one with the newest job or recording first. A search is compared in this order; one branch has an index.
 * @throws validation_failed at `cursor`
 */
export async function listBuilds(ctx: Context, { limit, cursor, q }: ListBuildsQuery): Promise<Page<Build>> {
	const after = cursor === undefined ? null : readPlace(cursor);
	const conditions = await buildConditions(ctx, q ?? "");
	const rows = await buildsOf(q === undefined ? ctx.db : ctx.reads, ctx)
		// An empty name has no page of its own.
		.where("name", "<>", "")
		.where(({ and }) => and(conditions))
		.$if(after !== null, (query) => query.where(sql<boolean>`("lastAt", name) < (${after?.lastAt}, ${after?.name})`))
		.orderBy("lastAt", "desc")
		.orderBy("name", "desc")
		.limit(limit + 1)
		.execute();
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	const hasMore = rows.length > limit && last !== undefined;
	const letThrough = await letThroughOf(ctx, shown);
	return {
		data: shown.map((row) => buildView(row, letThrough.get(row.name) ?? 0)),
		nextCursor: hasMore ? cursorAt(last) : null,
	};
}

/** @throws not_found if no job, recording or test run has this label. */
export async function readBuild(ctx: Context, name: string): Promise<Build> {
	const row = await buildsOf(ctx.db, ctx).where("name", "=", name).executeTakeFirst();
	if (row === undefined) throw notFound("build");
	const letThrough = await letThroughOf(ctx, [row]);
	return buildView(row, letThrough.get(name) ?? 0);
}

const buildsOf = (db: Database, ctx: Context) =>
	db
		.selectFrom("build")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		// Literally: the indexes have only these.
		.where(sql<boolean>`(recordings > 0 or jobs > 0)`);

/** Number of failed tests that CI let through in each build. Few builds have any. */
async function letThroughOf(ctx: Context, builds: readonly BuildRow[]): Promise<Map<string, number>> {
	if (builds.length === 0) return new Map();
	const rows = await ctx.db
		.selectFrom("testResult")
		.select(["build", "testId"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where(
			"build",
			"in",
			builds.map(({ name }) => name),
		)
		// Literally, as in the index.
		.where(sql<boolean>`"isLetThrough" = 1`)
		.execute();
	const tests = Map.groupBy(rows, ({ build }) => build ?? "");
	return new Map([...tests].map(([name, same]) => [name, new Set(same.map(({ testId }) => testId)).size]));
}

const cursorAt = ({ lastAt, name }: BuildRow): string => Buffer.from(`${lastAt}:${name}`).toString("base64url");

function readPlace(cursor: string): { lastAt: number; name: string } {
	const match = /^(\d{1,15}):(\P{Cc}{1,255})$/u.exec(Buffer.from(cursor, "base64url").toString("utf8"));
	if (match?.[2] === undefined) throw invalidCursor();
	return { lastAt: Number(match[1]), name: match[2] };
}

function buildView(row: BuildRow, letThrough: number): Build {
	const { recordings, passed, failed, error, skipped, black, running } = row;
	const { tests, testsPassed, testsFailed, testsError, testsSkipped, testsFlaky } = row;
	const isUnfinished = row.unfinishedJobs > 0;
	return {
		build: row.name,
		recordings,
		passed,
		failed,
		error,
		skipped,
		black,
		running,
		withoutOutcome: recordings - passed - failed - error - skipped,
		durationSeconds: row.durationMs / 1_000,
		jobs: row.jobs - row.testRuns,
		testRuns: row.testRuns,
		status: statusOf(row),
		tests: {
			all: tests,
			passed: testsPassed,
			failed: testsFailed,
			error: testsError,
			skipped: testsSkipped,
			running: tests - testsPassed - testsFailed - testsError - testsSkipped,
			flaky: testsFlaky,
		},
		letThrough,
		branch: row.branch,
		commit: row.commit,
		repository: row.repository,
		workflow: row.workflow,
		startedAt: timestampOrNull(row.startedAt),
		endedAt: timestampOrNull(isUnfinished ? null : row.endedAt),
		firstAt: timestamp(row.firstAt),
		lastAt: timestamp(row.lastAt),
	};
}

function statusOf(row: BuildRow): Build["status"] {
	if (row.unfinishedJobs > 0 || row.running > 0)
		return row.startedAt === null && row.running === 0 ? "queued" : "running";
	const isOfTests = row.tests > 0;
	if ((isOfTests ? row.testsFailed + row.testsError : row.failed + row.error) > 0) return "failed";
	return (isOfTests ? row.testsPassed : row.passed) > 0 ? "passed" : null;
}
