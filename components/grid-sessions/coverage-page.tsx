"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { MissedSession } from "@tapedeck/contract/session.ts";
import { clsx } from "clsx";
import { CircleCheck, ScanEye } from "lucide-react";
import { useState } from "react";
import { DayPlot } from "#components/ui/day-plot.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { dailyTotalsQuery } from "#lib/client/daily-totals.ts";
import { counted } from "#lib/client/format.ts";
import { MISS_LABELS } from "./miss-labels.ts";
import { coverageQuery } from "./sessions.ts";

const PERIODS = [
	{ days: 1, name: "Last 24 hours" },
	{ days: 7, name: "Last 7 days" },
	{ days: 30, name: "Last 30 days" },
] as const;

/** The grid's sessions that runners saw, and those among them that nobody recorded. */
export function CoveragePage() {
	const [days, setDays] = useState<number>(7);
	const coverage = useInfiniteQuery(coverageQuery(days));
	const counts = coverage.data?.pages[0];
	const missed = coverage.data?.pages.flatMap((page) => page.data) ?? [];
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Coverage">
					<select
						aria-label="Period"
						value={days}
						onChange={(event) => setDays(Number(event.target.value))}
						className={inputClass(false, "w-40")}
					>
						{PERIODS.map((period) => (
							<option key={period.days} value={period.days}>
								{period.name}
							</option>
						))}
					</select>
				</PageHead>
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 md:p-6">
				<NotLoaded what="the coverage" of={coverage} />
				{coverage.isPending ? <Skeleton className="h-40 rounded-lg" /> : null}
				{counts === undefined ? null : <Counts {...counts} />}
				{counts !== undefined && counts.seen > 0 ? <CoverageOverTime /> : null}
				{counts?.seen === 0 ? (
					<EmptyState icon={ScanEye} title="No sessions seen">
						Runners with TAPEDECK_AUTO_RECORD and SE_GRID_URL report the sessions of their grid here.
					</EmptyState>
				) : null}
				{counts !== undefined && counts.seen > 0 && counts.missed === 0 ? (
					<EmptyState icon={CircleCheck} title="Every session was recorded">
						Sessions without a recording appear here, with the reason.
					</EmptyState>
				) : null}
				{missed.length > 0 ? (
					<ul aria-label="Sessions that were not recorded" className="mt-4 rounded-lg border border-line bg-surface">
						{missed.map((session) => (
							<Missed key={session.sessionId} session={session} />
						))}
					</ul>
				) : null}
				<ShowMore list={coverage} className="mt-4 flex justify-center" />
			</div>
		</div>
	);
}

const Counts = ({ seen, recorded, missed }: { seen: number; recorded: number; missed: number }) => (
	<dl className="grid grid-cols-3 gap-3">
		<Count name="Seen" value={seen} />
		<Count name="Recorded" value={recorded} />
		<Count name="Not recorded" value={missed} isBad={missed > 0} />
	</dl>
);

/** The sessions of each of the last 30 days, with and without a recording. */
function CoverageOverTime() {
	const totals = useQuery(dailyTotalsQuery).data;
	if (totals === undefined) return <Skeleton className="mt-4 h-46 rounded-lg" />;
	return (
		<DayPlot
			title="Sessions per day (red: not recorded)"
			columns={["Recorded", "Not recorded"]}
			days={totals.map(({ day, sessions, recordedSessions: recorded }) => ({
				day,
				parts: [
					{ value: recorded, look: "bg-line-strong" },
					{ value: sessions - recorded, look: "bg-danger" },
				],
				cells: [recorded.toLocaleString(), (sessions - recorded).toLocaleString()],
			}))}
			format={(value) => counted(value, "session", "sessions")}
			atLeast={1}
			className="mt-4 rounded-lg border border-line bg-surface px-4 py-3"
		/>
	);
}

const Count = ({ name, value, isBad = false }: { name: string; value: number; isBad?: boolean }) => (
	<div className="rounded-lg border border-line bg-surface px-4 py-3">
		<dt className="text-sm text-muted">{name}</dt>
		<dd className={clsx("text-xl font-semibold tabular-nums", isBad && "text-danger")}>{value.toLocaleString()}</dd>
	</div>
);

const Missed = ({ session }: { session: MissedSession }) => (
	<li className="flex flex-col gap-x-4 gap-y-0.5 border-b border-line px-4 py-2.5 text-sm last:border-b-0 md:flex-row md:items-baseline">
		<span className="min-w-0 break-words md:w-72 md:shrink-0">
			{session.name ?? <span className="font-mono text-xs break-all">{session.sessionId}</span>}
		</span>
		<span className="min-w-0 flex-1 text-muted">
			{MISS_LABELS[session.reason]}
			{session.node === null ? null : <span className="block font-mono text-xs break-all">{session.node}</span>}
		</span>
		<span className="shrink-0 text-muted tabular-nums">
			<TimeAgo at={session.startedAt} />
		</span>
	</li>
);
