"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CheckCheck, CircleCheck } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { useRememberedList } from "#components/recordings/last-list.ts";
import { useScrollRestoration } from "#components/recordings/library/use-list-position.ts";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { NewItemsChip } from "#components/ui/new-items-chip.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { useCalmList } from "#components/ui/use-calm-list.ts";
import { errorMessage } from "#lib/client/api.ts";
import { useDeletedHere } from "#lib/client/delayed-deletes.ts";
import { counted } from "#lib/client/format.ts";
import type { Failure } from "#lib/contract/failure.ts";
import { groupFailures, PERIODS, type Period, startOf } from "./failure-groups.ts";
import { FailureList } from "./failure-list.tsx";
import { failurePath } from "./failure-path.ts";
import { failuresQuery, failuresSeenQuery, useMarkFailuresSeen } from "./failures.ts";

const NAMES: Record<Period, string> = {
	seen: "Since I last looked",
	night: "Last night",
	day: "24 hours",
	week: "7 days",
};

/** What failed in a period, by build and test. */
export function FailuresPage({ period: first }: { period: Period }) {
	const [period, setPeriod] = useState(first);
	const [openedAt] = useState(() => Date.now());
	const seen = useQuery(failuresSeenQuery);
	const seenAt = seen.data?.seenAt ?? null;
	const from = startOf(period, openedAt, seenAt === null ? null : Date.parse(seenAt));
	const list = useInfiniteQuery({
		...failuresQuery(new Date(from).toISOString()),
		enabled: period !== "seen" || seen.isSuccess,
	});
	const scroller = useRef<HTMLDivElement>(null);
	const all = useLoadedFailures(list.data?.pages);
	const { shown, waiting, showAll } = useCalmList(scroller, all, { list: list.isPending ? null : period });
	useScrollRestoration(scroller, `failures ${period}`, shown.length > 0);
	useRememberedFailures(shown, period);
	const choose = (next: Period) => {
		setPeriod(next);
		window.history.replaceState(null, "", next === "seen" ? "/failures" : `/failures?since=${next}`);
		scroller.current?.scrollTo({ top: 0 });
	};
	const broken = [seen, list].find(({ isError }) => isError);
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Failures">
					<MarkSeen newest={all[0]?.failedAt} seenAt={seenAt} />
				</PageHead>
				<fieldset className="flex flex-wrap items-center gap-1.5">
					<legend className="sr-only">Period</legend>
					{PERIODS.map((one) => (
						<FilterChip key={one} pressed={one === period} onClick={() => choose(one)}>
							{NAMES[one]}
						</FilterChip>
					))}
				</fieldset>
			</div>
			<div
				ref={scroller}
				className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 [overflow-anchor:none] [scrollbar-gutter:stable] md:p-6"
			>
				<NewItemsChip
					count={waiting.length}
					label={counted(waiting.length, "new failure", "new failures")}
					hint="There are new failures above."
					onPress={showAll}
				/>
				{broken === undefined ? null : (
					<NotLoaded
						why={`Couldn't load the failures. ${errorMessage(broken.error)}`}
						onRetry={() => void Promise.all([seen.refetch(), list.refetch()])}
					/>
				)}
				{list.isPending && broken === undefined ? <Waiting /> : null}
				{list.isSuccess && shown.length === 0 ? (
					<Nothing period={period} seenAt={seenAt} onShowWeek={() => choose("week")} />
				) : null}
				{shown.length > 0 ? (
					<>
						<Summary failures={shown} hasMore={list.hasNextPage} period={period} seenAt={seenAt} />
						<FailureList failures={shown} newAfter={period === "seen" ? null : seenAt} />
					</>
				) : null}
				<ShowMore list={list} className="mt-6 flex justify-center" />
			</div>
		</div>
	);
}

/** All pages as one list, without recordings whose deletion can still be undone. */
function useLoadedFailures(pages: readonly { data: Failure[] }[] | undefined): readonly Failure[] {
	const deleted = useDeletedHere();
	const known = new Map<number, Failure>();
	for (const { data } of pages ?? []) for (const failure of data) known.set(failure.id, failure);
	return [...known.values()].filter(({ recording }) => recording === null || !deleted.has(recording.id));
}

/** Their videos lead back to this list, and on to the next in it. */
function useRememberedFailures(failures: readonly Failure[], period: Period): void {
	useRememberedList({
		name: "Failures",
		href: period === "seen" ? "/failures" : `/failures?since=${period}`,
		items: groupFailures(failures)
			.flatMap(({ tests }) => tests.flatMap((one) => one.failures))
			.flatMap((failure) =>
				failure.recording === null ? [] : [{ id: failure.recording.id, path: failurePath(failure) }],
			),
	});
}

/** Moves the mark to the newest failure on the page: later ones are not seen yet. Opening the page never moves it. */
function MarkSeen({ newest, seenAt }: { newest: string | undefined; seenAt: string | null }) {
	const marking = useMarkFailuresSeen();
	const isNew = newest !== undefined && (seenAt === null || newest > seenAt);
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
	failures: readonly Failure[];
	hasMore: boolean;
	period: Period;
	seenAt: string | null;
}

function Summary({ failures, hasMore, period, seenAt }: SummaryProps) {
	const builds = new Set(failures.map(({ labels }) => labels.build).filter((build) => build !== undefined)).size;
	return (
		<p className="mb-4 text-sm text-muted tabular-nums">
			{hasMore ? `The last ${failures.length} failures` : counted(failures.length, "failure", "failures")}
			{builds > 0 ? ` in ${counted(builds, "build", "builds")}` : null}
			{period !== "seen"
				? "."
				: seenAt === null
					? " in the last 7 days. Mark all as seen to hide these."
					: " since you marked the last ones as seen."}
			<span className="pointer-coarse:hidden">
				{useSingleKeys() ? " Press J / K to move, Enter" : " Press ↓ / ↑ to move, Enter"} to play from 5 s before the
				failure.
			</span>
		</p>
	);
}

const Waiting = () => (
	<div className="flex flex-col gap-3">
		{[0, 1, 2].map((row) => (
			<Skeleton key={row} className="h-40 rounded-lg" />
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
			Recordings of failed tests, black and frozen videos, and jobs that failed appear here, with the frame at their
			failure.{" "}
			<a href="/docs/finding.md" className="text-accent underline underline-offset-2">
				How to report test results
			</a>
		</EmptyState>
	);
}
