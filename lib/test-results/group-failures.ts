/** `GET /v1/test-failures`: the newest failures of tests, by what they have in common. */

import type { Page } from "@tapedeck/contract/page.ts";
import { AGENT_LABEL, isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { parseSearch } from "@tapedeck/contract/search.ts";
import {
	type FailureGroup,
	type FailureGrouping,
	type FailureGroupList,
	type ListFailureGroupsQuery,
	MAX_GROUPED_FAILURES,
} from "@tapedeck/contract/test-failure.ts";
import { isSameScreen, type ScreenHash, screenHash } from "@tapedeck/contract/test-result.ts";
import { type NotNull, type RawBuilder, sql } from "kysely";
import type { Context, Database } from "#lib/core/context.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import { whatIsSeen } from "#lib/recordings/failures-seen.ts";
import { type FoundIds, findPage, isOfOrganization } from "#lib/search/find.ts";
import { recentResultsOf } from "./recent-results.ts";
import { resultViews } from "./result-view.ts";
import type { TestResultRow } from "./store/result-store.ts";
import { NO_TRIAGE, triageOf } from "./triage.ts";

const COLUMNS = [
	...(["id", "testId", "jobId", "recordingId", "name", "build", "cause", "screen"] as const),
	...(["isNew", "isFlaky", "isByAgent", "startedAt", "failedAt", "outcome"] as const),
] as const;
type FailureRow = Pick<TestResultRow, (typeof COLUMNS)[number]> & { failedAt: number };

/** Groups with the newest failure first; muted ones are left out unless they are asked for. */
export async function groupFailures(ctx: Context, asked: ListFailureGroupsQuery): Promise<FailureGroupList> {
	const { by, limit } = asked;
	const { data: failures, nextCursor } = await newestFailures(ctx, asked);
	const isSeen = await whatIsSeen(ctx);
	const groups = [...groupsOf(by, failures)];
	const triageKind = by === "cause" || by === "test" ? by : null;
	const keys = groups.flatMap(([key]) => key ?? []);
	const triage = triageKind === null ? new Map() : await triageOf(ctx, triageKind, keys);
	const isMuted = ([key]: Group) => (triage.get(key ?? "") ?? NO_TRIAGE).mutedUntil !== null;
	const shown = asked.muted === "yes" ? groups : groups.filter((group) => !isMuted(group));
	const page = shown.slice(0, limit);
	const newest = await newestOf(ctx, page);
	const recent = await recentResultsOf(
		ctx,
		[...newest.values()].map(({ testId }) => testId),
	);
	const unseenTests = (rows: readonly FailureRow[]) =>
		new Set(rows.flatMap((row) => (isSeen(row) ? [] : [row.testId]))).size;
	return {
		by,
		failures: shown.reduce((sum, [, rows]) => sum + rows.length, 0),
		tests: new Set(shown.flatMap(([, rows]) => rows.map(({ testId }) => testId))).size,
		groups: shown.length,
		muted: groups.filter(isMuted).length,
		unseen: unseenTests(shown.flatMap(([, rows]) => rows)),
		newestAt: timestampOrNull(failures.length === 0 ? null : Math.max(...failures.map(({ failedAt }) => failedAt))),
		isMore: nextCursor !== null,
		data: page.flatMap(([key, rows]): FailureGroup[] => {
			const first = rows[0] as FailureRow;
			const result = newest.get(first.id);
			// Deleted since.
			if (result === undefined) return [];
			const times = rows.map(({ startedAt }) => startedAt);
			const tests = [...Map.groupBy(rows, ({ testId }) => testId).values()].map(kindOf);
			const count = (kind: Kind) => tests.filter((one) => one === kind).length;
			return [
				{
					key,
					title: titleOf(by, first, result.reason),
					failures: rows.length,
					tests: tests.length,
					builds: new Set(rows.flatMap(({ build }) => build ?? [])).size,
					new: count("new"),
					known: count("known"),
					flaky: count("flaky"),
					unseen: unseenTests(rows),
					firstAt: timestamp(Math.min(...times)),
					lastAt: timestamp(Math.max(...times)),
					newestAt: timestamp(Math.max(...rows.map(({ failedAt }) => failedAt))),
					newest: result,
					recent: recent.get(result.testId) ?? [],
					triage: triageKind === null ? null : (triage.get(key ?? "") ?? NO_TRIAGE),
				},
			];
		}),
	};
}

type Kind = "new" | "known" | "flaky";

/** A test counts once, by its newest failure. */
function kindOf([newest]: readonly FailureRow[]): Kind {
	if (newest?.isFlaky === 1) return "flaky";
	return newest?.isNew === 1 ? "new" : "known";
}

type Group = readonly [key: string | null, rows: FailureRow[]];

/** Whether a search names the label of agents without leaving them out. */
const asksForAgents = (q: string): boolean =>
	parseSearch(q).terms.some((term) => term.kind === "label" && term.key === AGENT_LABEL && !term.not);

/**
 * Reads failures, the last that became known first, and failures that a search finds by the start of their tests. Failures of
 * agents are read only if the search asks for them.
 */
function newestFailures(
	ctx: Context,
	{ failedAfter, failedBefore, q }: ListFailureGroupsQuery,
): Promise<Page<FailureRow>> {
	const isSearched = (q ?? "").trim() !== "";
	const query = { limit: MAX_GROUPED_FAILURES, ...(isSearched ? { q: q ?? "" } : {}) };
	const read = (...where: RawBuilder<unknown>[]) => ({
		table: "testResult",
		id: "id",
		where: [isOfOrganization(ctx, "testResult"), ...where],
	});
	const rowsBy = (column: "failedAt" | "startedAt") => async (db: Database, ids: FoundIds) => {
		const rows = db.selectFrom("testResult").select(COLUMNS).where("id", "in", ids);
		return rows.orderBy(column, "desc").orderBy("id", "desc").$narrowType<{ failedAt: NotNull }>().execute();
	};
	// Agents' failures are few, so that pages are hardly shorter.
	const withAgents = asksForAgents(q ?? "");
	const view = (rows: FailureRow[]) => (withAgents ? rows : rows.filter(({ isByAgent }) => isByAgent === 0));
	if (!isSearched) {
		return findPage(ctx, query, {
			table: "testResult",
			isSearched: false,
			sorting: { by: "failedAt", order: "desc" },
			view,
			source: () => ({
				// Literally, as in the index.
				reads: [read(sql`"failedAt" is not null`)],
				has: "indexed",
				stretches: [{ above: failedAfter, below: failedBefore }],
				filters: [],
			}),
			rows: rowsBy("failedAt"),
		});
	}
	const inTime: RawBuilder<unknown>[] = [
		...(failedAfter === undefined ? [] : [sql`"testResult"."failedAt" > ${failedAfter}`]),
		...(failedBefore === undefined ? [] : [sql`"testResult"."failedAt" < ${failedBefore}`]),
	];
	const isIndexed = sql`outcome in ('failed', 'error', 'skipped')`;
	return findPage(ctx, query, {
		table: "testResult",
		isSearched: true,
		sorting: { by: "startedAt", order: "desc" },
		view,
		source: () => ({
			reads: ["failed", "error"].map((outcome) => read(sql`outcome = ${outcome}`, isIndexed, ...inTime)),
			has: inTime.length > 0 ? "compared" : "indexed",
			stretches: [{}],
			filters: [sql`"testResult"."failedAt" is not null`, ...inTime],
		}),
		rows: rowsBy("startedAt"),
	});
}

/** In the order of their newest failures. */
function groupsOf(by: FailureGrouping, failures: readonly FailureRow[]): Iterable<Group> {
	if (by !== "screen") return Map.groupBy(failures, (row) => keyOf(by, row));
	const screens: { key: string; hash: ScreenHash }[] = [];
	return Map.groupBy(failures, ({ screen }) => {
		if (screen === null) return null;
		const hash = screenHash(screen);
		const like = screens.find((one) => isSameScreen(one.hash, hash));
		if (like !== undefined) return like.key;
		screens.push({ key: screen, hash });
		return screen;
	});
}

function keyOf(by: Exclude<FailureGrouping, "screen">, { cause, testId, build }: FailureRow): string | null {
	return by === "cause" ? cause : by === "test" ? String(testId) : build;
}

function titleOf(by: FailureGrouping, { name, build }: FailureRow, reason: string | null): string {
	if (by === "test") return name;
	if (by === "build") return build ?? "Without a build";
	return reason ?? `${name} failed without a message`;
}

async function newestOf(ctx: Context, groups: readonly Group[]) {
	const ids = groups.map(([, rows]) => (rows[0] as FailureRow).id);
	if (ids.length === 0) return new Map();
	const rows = await ctx.reads.selectFrom("testResult").selectAll().where("id", "in", ids).execute();
	const views = await resultViews(
		ctx,
		rows.filter(({ outcome }) => isFailure(outcome)),
	);
	return new Map(views.map((view) => [view.id, view]));
}
