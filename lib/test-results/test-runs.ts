/** `/v1/test-runs`: results that no job recorded. A run owns results as a job does, and shows wherever its build shows. */
import type { Page } from "@tapedeck/contract/page.ts";
import {
	ABANDONED_AFTER_HOURS,
	type CreateTestRun,
	type EndTestRun,
	type ListTestRunsQuery,
	type TestRun,
	type TestRunDetail,
} from "@tapedeck/contract/test-run.ts";
import { sql } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, creatorOf, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import { findPage, isOfOrganization } from "#lib/search/find.ts";
import { countAttachments, readAttachments } from "./attachment-view.ts";
import { type TestRunRow, updateResultsOfRun } from "./store/implied-results.ts";
import { noteReport } from "./store/note-report.ts";
import { ownedByRun } from "./store/result-owner.ts";
import { publishResults, type TestResultRow } from "./store/result-store.ts";
import { deleteResults } from "./sweep-results.ts";

/** @returns the run, and whether it is new: the organization has one run for each key. */
export async function createTestRun(ctx: Context, asked: CreateTestRun): Promise<{ run: TestRun; isNew: boolean }> {
	const { row, isNew } = await inTransaction(ctx, async (ctx) => {
		const now = ctx.clock.now();
		const creator = creatorOf(ctx);
		const added = await ctx.db
			.insertInto("testRun")
			.values({
				organizationId: ctx.actor.organizationId,
				name: asked.name ?? defaultName(asked.source, now),
				source: asked.source ?? null,
				key: asked.key ?? null,
				labels: JSON.stringify(asked.labels ?? {}),
				quietHistory: Number(asked.quietHistory ?? false),
				createdAt: now,
				lastReportAt: now,
				createdByKind: creator?.kind ?? null,
				createdById: creator?.id ?? null,
				createdByName: creator?.name ?? null,
			})
			.onConflict((conflict) => conflict.columns(["organizationId", "key"]).doNothing())
			.returningAll()
			.executeTakeFirst();
		if (added === undefined) {
			const known = await runsOf(ctx)
				.where("key", "=", asked.key ?? "")
				.executeTakeFirstOrThrow();
			return { row: known, isNew: false };
		}
		await audit(ctx, { action: "test_run.created", detail: { testRunId: added.id, name: added.name } });
		return { row: added, isNew: true };
	});
	if (isNew) publishResults(ctx, ownedByRun(row.id));
	return { run: await runView(ctx, row), isNew };
}

/** For example `playwright, 2026-11-21 01:12 UTC`. */
function defaultName(source: string | undefined, now: number): string {
	const [day, time] = timestamp(now).split("T") as [string, string];
	return `${source ?? "Test run"}, ${day} ${time.slice(0, 5)} UTC`;
}

const runsOf = (ctx: Context) =>
	ctx.db.selectFrom("testRun").selectAll().where("organizationId", "=", ctx.actor.organizationId);

/** @throws not_found */
export async function findRun(ctx: Context, runId: number): Promise<TestRunRow> {
	const row = await runsOf(ctx).where("id", "=", runId).executeTakeFirst();
	if (row === undefined) throw notFound("test run");
	return row;
}

/** @throws not_found */
export async function readTestRun(ctx: Context, runId: number): Promise<TestRunDetail> {
	const run = await runView(ctx, await findRun(ctx, runId));
	return { ...run, attachments: await readAttachments(ctx, { resultId: null, testRunId: runId }) };
}

/** The newest first. @throws validation_failed at `cursor` */
export function listTestRuns(ctx: Context, asked: ListTestRunsQuery): Promise<Page<TestRun>> {
	return findPage(ctx, asked, {
		table: "testRun",
		isSearched: false,
		sorting: { by: "id", order: "desc" },
		source: ({ build }) => ({
			reads: [
				build === undefined
					? { table: "testRun", id: "id", where: [isOfOrganization(ctx, "testRun")] }
					: {
							table: "testRunLabel",
							id: "testRunId",
							where: [isOfOrganization(ctx, "testRunLabel"), sql`key = 'build'`, sql`value = ${build}`],
						},
			],
			has: "indexed",
			stretches: [{}],
			filters: [],
		}),
		rows: (db, ids) => db.selectFrom("testRun").selectAll().where("id", "in", ids).orderBy("id", "desc").execute(),
		view: (rows) => runViews(ctx, rows),
	});
}

/** Ends a run. Of several calls the last one says the outcome, and the first one when it ended. @throws not_found */
export async function endTestRun(ctx: Context, runId: number, { outcome, message }: EndTestRun): Promise<TestRun> {
	const { row, ended } = await inTransaction(ctx, async (ctx) => {
		const { endedAt, ...run } = await noteReport(ctx, runId);
		return endRun(ctx, run.id, {
			outcome,
			message: message === undefined ? run.message : message,
			endedAt: endedAt ?? ctx.clock.now(),
		});
	});
	publishResults(ctx, ownedByRun(runId), ended);
	return runView(ctx, row);
}

type End = Pick<TestRunRow, "outcome" | "message"> & { endedAt: number; isAbandoned?: 1 };

/** @returns the run, and the results that ended with it. */
async function endRun(ctx: Context, runId: number, end: End): Promise<{ row: TestRunRow; ended: TestResultRow[] }> {
	const row = await ctx.db
		.updateTable("testRun")
		.set(end)
		.where("id", "=", runId)
		.returningAll()
		.executeTakeFirstOrThrow();
	return { row, ended: await updateResultsOfRun(ctx, row) };
}

const SILENT_MS = ABANDONED_AFTER_HOURS * 3_600_000;
/** Maximum number of test runs that one sweep ends. */
const ENDED_AT_ONCE = 100;

/** Ends runs that nobody ended, once they have reported nothing for `ABANDONED_AFTER_HOURS`. */
export async function sweepTestRuns(ctx: Context): Promise<void> {
	const now = ctx.clock.now();
	const silent = await ctx.db
		.selectFrom("testRun")
		.select(["id", "organizationId"])
		.where("lastReportAt", "<=", now - SILENT_MS)
		// Literally, as in the index.
		.where(sql<boolean>`"endedAt" is null`)
		.orderBy("lastReportAt")
		.limit(ENDED_AT_ONCE)
		.execute();
	for (const { id, organizationId } of silent) {
		const own: Context = { ...ctx, actor: { kind: "system", organizationId } };
		const ended = await inTransaction(own, async (ctx) => {
			const run = await ctx.db
				.updateTable("testRun")
				.set({ isAbandoned: 1 })
				.where("id", "=", id)
				.where("lastReportAt", "<=", now - SILENT_MS)
				.where("endedAt", "is", null)
				.returning("lastReportAt")
				.executeTakeFirst();
			if (run === undefined) return null;
			return endRun(ctx, id, { outcome: "error", message: ABANDONED, endedAt: run.lastReportAt });
		});
		if (ended !== null) publishResults(own, ownedByRun(id), ended.ended);
	}
}

const ABANDONED = `Nobody ended this test run, and it reported nothing for ${ABANDONED_AFTER_HOURS} hours.`;

/** Deletes a run with its results. A call that fails midway has deleted some of these, and can be repeated. @throws not_found */
export async function deleteTestRun(ctx: Context, runId: number): Promise<void> {
	const { id, name } = await findRun(ctx, runId);
	await deleteResults(ctx, ctx.db.selectFrom("testResult").select("id").where("testRunId", "=", id));
	await inTransaction(ctx, async (ctx) => {
		// Another call at the same time has deleted it.
		const { numDeletedRows } = await ctx.db.deleteFrom("testRun").where("id", "=", id).executeTakeFirst();
		if (numDeletedRows === 0n) throw notFound("test run");
		await audit(ctx, { action: "test_run.deleted", detail: { testRunId: id, name } });
	});
	publishResults(ctx, ownedByRun(id));
}

const runView = async (ctx: Context, row: TestRunRow): Promise<TestRun> => (await runViews(ctx, [row]))[0] as TestRun;

async function runViews(ctx: Context, rows: readonly TestRunRow[]): Promise<TestRun[]> {
	if (rows.length === 0) return [];
	const ids = rows.map(({ id }) => id);
	const counted = await ctx.db
		.selectFrom("testResult")
		.select(({ fn }) => ["testRunId", "outcome", fn.countAll<number>().as("count"), fn.min("id").as("firstId")])
		.where("testRunId", "in", ids)
		.groupBy(["testRunId", "outcome"])
		.execute();
	const countsOf = Map.groupBy(counted, ({ testRunId }) => testRunId ?? 0);
	const testOf = await firstTests(
		ctx,
		rows.flatMap(({ id, labels }) => {
			if (readLabels({ labels }).build !== undefined) return [];
			const counts = countsOf.get(id) ?? [];
			const failures = counts.filter(({ outcome }) => outcome === "failed" || outcome === "error");
			const first = (failures.length > 0 ? failures : counts).map(({ firstId }) => Number(firstId));
			return first.length === 0 ? [] : [Math.min(...first)];
		}),
	);
	const attached = await countAttachments(ctx, "testRunId", ids);
	return rows.map((row) => {
		const labels = readLabels(row);
		const counts = countsOf.get(row.id) ?? [];
		const count = (outcome: TestRunRow["outcome"]) => Number(counts.find((one) => one.outcome === outcome)?.count ?? 0);
		const results = {
			passed: count("passed"),
			failed: count("failed"),
			error: count("error"),
			skipped: count("skipped"),
			running: count(null),
		};
		const first = testOf.get(row.id);
		return {
			id: row.id,
			organizationId: row.organizationId,
			name: row.name,
			source: row.source,
			key: row.key,
			labels,
			outcome: row.outcome,
			isAbandoned: row.isAbandoned === 1,
			quietHistory: row.quietHistory === 1,
			createdAt: timestamp(row.createdAt),
			endedAt: timestampOrNull(row.endedAt),
			createdBy:
				row.createdByKind === null || row.createdById === null
					? null
					: { kind: row.createdByKind, id: row.createdById, name: row.createdByName ?? "" },
			results: { all: Object.values(results).reduce((sum, one) => sum + one, 0), ...results },
			attachmentCount: attached.get(row.id) ?? 0,
			url:
				labels.build !== undefined
					? `${ctx.baseUrl}/builds/${encodeURIComponent(labels.build)}`
					: first === undefined
						? null
						: `${ctx.baseUrl}/tests/${first.testId}?result=${first.id}`,
		};
	});
}

/** The first test of each run. @param resultIds at most one of each. */
async function firstTests(ctx: Context, resultIds: readonly number[]) {
	if (resultIds.length === 0) return new Map();
	const rows = await ctx.db
		.selectFrom("testResult")
		.select(["id", "testId", "testRunId"])
		.where("id", "in", resultIds)
		.execute();
	return new Map(rows.map((row) => [row.testRunId, row]));
}
