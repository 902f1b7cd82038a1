"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { AGENT_LABEL } from "@tapedeck/contract/recording-kinds.ts";
import type { FailureGroup, FailureGrouping, FailureGroupList } from "@tapedeck/contract/test-failure.ts";
import { BellOff, Bot, CheckCheck, CircleCheck } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { useRememberedList } from "#components/recordings/last-list.ts";
import { useScrollRestoration } from "#components/recordings/library/use-list-position.ts";
import { loadCompletion } from "#components/search/load-completion.ts";
import { NoMatches } from "#components/search/no-matches.tsx";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { NewItemsChip } from "#components/ui/new-items-chip.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { useStableList } from "#components/ui/use-stable-list.ts";
import { counted, failedTests } from "#lib/client/format.ts";
import { addressOf, type FailureFilters, GROUPINGS, PERIODS, type Period, startOf } from "./failure-filters.ts";
import { FailureList } from "./failure-list.tsx";
import { failurePath } from "./failure-path.ts";
import { failureGroupsQuery, failuresSeenQuery, hasVideos, useMarkFailuresSeen } from "./failures.ts";
import { LettingPassSection } from "./letting-pass.tsx";
import { BlackOrFrozenVideos } from "./videos-section.tsx";

const NAMES: Record<Period, string> = {
	seen: "Since I last looked",
	night: "Last night",
	day: "24 hours",
	week: "7 days",
};
const GROUPING_OPTIONS = Object.entries(GROUPINGS).map(([by, { name }]) => [by, `By ${name.toLowerCase()}`] as const);

/** Groups that are shown first, and at most. */
const FIRST_GROUPS = 100;
const MOST_GROUPS = 1_000;

/** Failures of a period, grouped by a common property. */
export function FailuresPage({ filters: first }: { filters: FailureFilters }) {
	const [filters, setFilters] = useState(first);
	const { period, by, muted, q } = filters;
	const [openedAt] = useState(() => Date.now());
	const [limit, setLimit] = useState(FIRST_GROUPS);
	const seen = useQuery(failuresSeenQuery);
	const seenAt = seen.data?.seenAt ?? null;
	const failedAfter = new Date(startOf(period, openedAt, seenAt === null ? null : Date.parse(seenAt))).toISOString();
	const list = useQuery({
		...failureGroupsQuery({ by, q, failedAfter, muted, limit }),
		enabled: period !== "seen" || seen.isSuccess,
		placeholderData: keepPreviousData,
	});
	const mayDecide = useCan("recordings:write");
	const scroller = useRef<HTMLDivElement>(null);
	const address = addressOf(filters);
	// Groups of another kind are another list.
	const groups = useMemo(
		() => (list.data?.by === by ? list.data.data.map((group) => ({ ...group, id: group.key ?? "" })) : []),
		[list.data, by],
	);
	const { shown, waiting, showAll } = useStableList(scroller, groups, { list: list.isPending ? null : address });
	useScrollRestoration(scroller, address, shown.length > 0);
	useRememberedFailures(shown, address);
	const change = (changed: Partial<FailureFilters>) => {
		const next = { ...filters, ...changed };
		setFilters(next);
		setLimit(FIRST_GROUPS);
		window.history.replaceState(null, "", addressOf(next));
		scroller.current?.scrollTo({ top: 0 });
	};
	const broken = [seen, list].find(({ isError }) => isError);
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Failures">
					<MarkSeen newest={list.data?.newestAt ?? null} seenAt={seenAt} />
				</PageHead>
				<Filters filters={filters} mutedCount={list.data?.muted ?? 0} onChange={change} />
			</div>
			<div
				ref={scroller}
				className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 [overflow-anchor:none] [scrollbar-gutter:stable] md:p-6"
			>
				<NewItemsChip
					count={waiting.length}
					label={counted(waiting.length, "new group of failures", "new groups of failures")}
					hint="There are new failures above."
					onPress={showAll}
				/>
				<NotLoaded what="the failures" of={[seen, list]} />
				{list.isPending && broken === undefined ? <Waiting /> : null}
				{list.isSuccess && list.data.data.length === 0 ? (
					q === "" ? (
						<Nothing period={period} seenAt={seenAt} onShowWeek={() => change({ period: "week" })} />
					) : (
						<NoMatches what="failures" path="/v1/tests" q={q} onClearFilters={() => change({ q: "" })} />
					)
				) : null}
				{shown.length > 0 && list.data !== undefined ? (
					<>
						<Summary list={list.data} period={period} seenAt={seenAt} />
						<FailureList key={address} by={by} groups={shown} list={address} />
						{list.data.groups > shown.length && limit === FIRST_GROUPS ? (
							<Button className="mt-4" onClick={() => setLimit(MOST_GROUPS)}>
								{`Show all ${list.data.groups} ${GROUPINGS[by].many}`}
							</Button>
						) : null}
					</>
				) : null}
				<LettingPassSection mayDecide={mayDecide} />
				<BlackOrFrozenVideos />
			</div>
		</div>
	);
}

/** Their videos lead back to this list, and on to the next in it. */
function useRememberedFailures(groups: readonly FailureGroup[], href: string): void {
	useRememberedList({
		name: "Failures",
		href,
		items: groups.flatMap(({ newest }) =>
			newest.recordingId === null ? [] : [{ id: newest.recordingId, path: failurePath(newest) }],
		),
	});
}

interface FiltersProps {
	filters: FailureFilters;
	/** The number of groups that are hidden because they are muted. */
	mutedCount: number;
	onChange(changed: Partial<FailureFilters>): void;
}

const OF_AGENTS = `label:${AGENT_LABEL}`;

function Filters({ filters, mutedCount, onChange }: FiltersProps) {
	const { period, by, muted, q } = filters;
	return (
		<div className="flex flex-col gap-2 lg:flex-row lg:items-center">
			<div className="flex flex-wrap gap-2">
				<SearchBox
					label="Search failures"
					value={q}
					onChange={(text) => onChange({ q: text })}
					loadCompletion={loadCompletion}
					className="max-lg:w-full lg:w-64"
				/>
				<FilterSelect
					label="Group by"
					value={by}
					options={GROUPING_OPTIONS}
					onChange={(chosen) => onChange({ by: chosen as FailureGrouping })}
				/>
			</div>
			<fieldset className="flex flex-wrap items-center gap-1.5">
				<legend className="sr-only">Period</legend>
				{PERIODS.map((one) => (
					<FilterChip key={one} pressed={one === period} onClick={() => onChange({ period: one })}>
						{NAMES[one]}
					</FilterChip>
				))}
			</fieldset>
			{muted || mutedCount > 0 ? (
				<FilterChip pressed={muted} onClick={() => onChange({ muted: !muted })}>
					<BellOff aria-hidden />
					{muted ? "Muted are shown" : `${mutedCount} muted`}
				</FilterChip>
			) : null}
			<FilterChip pressed={q === OF_AGENTS} onClick={() => onChange({ q: q === OF_AGENTS ? "" : OF_AGENTS })}>
				<Bot aria-hidden />
				Of agents
			</FilterChip>
		</div>
	);
}

/** Moves the mark to the newest failure on the page: later ones are not seen yet. Opening the page never moves it. */
function MarkSeen({ newest, seenAt }: { newest: string | null; seenAt: string | null }) {
	const marking = useMarkFailuresSeen();
	const isNew = newest !== null && (seenAt === null || newest > seenAt);
	const mark = (time: string | null, done?: () => void) =>
		void toastOutcome(marking.mutateAsync(time), { done, failed: "Couldn't mark the failures as seen." });
	const markAll = () => {
		if (!isNew || marking.isPending) return;
		mark(newest, () =>
			toast.success("Marked all failures as seen.", { action: { label: "Undo", onClick: () => mark(seenAt) } }),
		);
	};
	return (
		<Button aria-disabled={!isNew || marking.isPending} onClick={markAll}>
			<CheckCheck aria-hidden className="size-4" />
			Mark all as seen
		</Button>
	);
}

interface SummaryProps {
	list: FailureGroupList;
	period: Period;
	seenAt: string | null;
}

/** `3 causes: 13 tests failed (24 attempts) since you marked the last ones as seen.` */
function Summary({ list: { by, data, groups, failures, tests, isMore }, period, seenAt }: SummaryProps) {
	const { one, many } = GROUPINGS[by];
	const enter = hasVideos(data) ? "to play from 5 s before the failure" : "to open the newest failure";
	const singleKeys = useSingleKeys();
	return (
		<p className="mb-4 text-sm text-muted tabular-nums">
			{by === "test" ? "" : `${counted(groups, one, many)}: `}
			{isMore ? "at least " : ""}
			{failedTests(tests, failures)}
			{period !== "seen"
				? "."
				: seenAt === null
					? " in the last 7 days. Mark all as seen to hide these."
					: " since you marked the last ones as seen."}
			<span className="pointer-coarse:hidden">
				{singleKeys ? " Press J / K to move, Enter " : " Press ↓ / ↑ to move, Enter "}
				{enter}, → to see all of them{singleKeys ? ", S to mark them as seen." : "."}
			</span>
		</p>
	);
}

const Waiting = () => (
	<div className="flex flex-col gap-3">
		{[0, 1, 2].map((row) => (
			<Skeleton key={row} className="h-32 rounded-lg" />
		))}
	</div>
);

function Nothing({ period, seenAt, onShowWeek }: { period: Period; seenAt: string | null; onShowWeek(): void }) {
	const isSince = period === "seen" && seenAt !== null;
	return (
		<EmptyState
			icon={CircleCheck}
			title={isSince ? "No failures since you last looked" : "No failures in this period"}
			actions={
				period === "week" || (period === "seen" && !isSince) ? (
					<Link href="/builds" className={buttonClass()}>
						Builds
					</Link>
				) : (
					<Button onClick={onShowWeek}>Show 7 days</Button>
				)
			}
		>
			Failed tests, and jobs that failed to record, appear here with the frame at their failure.{" "}
			<a href="/docs/guides/finding" className="text-accent underline underline-offset-2">
				How to report test results
			</a>
		</EmptyState>
	);
}
