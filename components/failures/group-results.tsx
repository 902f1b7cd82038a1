"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import type { FailureGroup, FailureGrouping } from "@tapedeck/contract/test-failure.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { Link } from "#components/navigation/link.tsx";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { ResultIcon, resultWord } from "#components/tests/result-icon.tsx";
import { testResultsQuery } from "#components/tests/tests.ts";
import { NotLoaded } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { failurePath } from "./failure-path.ts";

interface Props {
	by: FailureGrouping;
	group: FailureGroup;
	title: string;
	/** The search that finds them. */
	q: string;
	/** Called when the user plays one of the results. */
	onSeen(): void;
}

const FAILED = "outcome:failed outcome:error";

/** The search that finds the results of a group; null for the group of failures without the grouping property. */
export function searchOf(by: FailureGrouping, { key, title }: FailureGroup): string | null {
	if (key === null) return null;
	const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
	switch (by) {
		case "cause":
			return `cause:${quoted(key)}`;
		case "screen":
			return `screen:${key}`;
		case "build":
			return `build:${quoted(key)} ${FAILED}`;
		case "test":
			return `test:${quoted(title)} ${FAILED}`;
	}
}

/** Every failure of a group, the newest first. */
export function GroupResults({ by, group, title, q, onSeen }: Props) {
	const list = useInfiniteQuery(testResultsQuery({ q }, 20));
	const rows = (list.data?.pages.flatMap(({ data }) => data) ?? []).filter(
		// The same title in another project is another test.
		({ testId }) => by !== "test" || String(testId) === group.key,
	);
	return (
		<div className="bg-canvas px-3 py-2 sm:ps-12">
			<NotLoaded what="these failures" of={list} />
			{list.isPending ? <Skeleton className="h-16 rounded-md" /> : null}
			<ul aria-label={`Failures: ${title}`}>
				{rows.map((result) => (
					<ResultRow key={result.id} by={by} result={result} onSeen={onSeen} />
				))}
			</ul>
			<ShowMore list={list} className="py-2" />
		</div>
	);
}

interface RowProps {
	by: FailureGrouping;
	result: TestResult;
	onSeen(): void;
}

function ResultRow({ by, result, onSeen }: RowProps) {
	const { build, branch } = result.labels;
	const details = [
		result.project,
		branch,
		by === "build" || build === undefined ? null : `build ${build}`,
		result.attempt > 1 ? `attempt ${result.attempt}` : null,
		result.new ? "new" : null,
		aboutFailure(result),
		result.deletedRecording === null ? null : "video deleted",
	].filter((part) => part != null);
	return (
		<li className="relative flex flex-wrap items-baseline gap-x-2 rounded-md px-2 py-1.5 text-sm hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent">
			<ResultIcon result={result} className="size-4 self-center" />
			<span className="sr-only">{resultWord(result)}</span>
			<Link
				href={failurePath(result)}
				data-failure={result.id}
				onClick={() => {
					onSeen();
					if (result.recordingId !== null) requestPlay(result.recordingId);
				}}
				className="min-w-0 break-words outline-none after:absolute after:inset-0"
			>
				{result.test}
			</Link>
			<span className="text-xs text-muted tabular-nums">
				{details.map((detail) => `${detail} · `).join("")}
				<TimeAgo at={result.startedAt} isAbout={result.isApproximate} />
			</span>
		</li>
	);
}
