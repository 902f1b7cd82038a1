"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { Link } from "#components/navigation/link.tsx";
import { ResultIcon, resultWord } from "#components/tests/result-icon.tsx";
import { testResultsQuery } from "#components/tests/tests.ts";
import { NotLoaded } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { formatLength } from "#lib/client/format.ts";

/** The tests of a job, what failed first; nothing if it has none. Each leads to its moment in the video, or to its own page. */
export function JobTests({ jobId }: { jobId: number }) {
	const failures = useInfiniteQuery(testResultsQuery({ jobId, q: "outcome:failed outcome:error" }));
	const others = useInfiniteQuery(testResultsQuery({ jobId, q: "-outcome:failed -outcome:error" }));
	const lists = [failures, others];
	const broken = lists.find(({ isError }) => isError);
	// Others come behind the last that failed.
	const shown = failures.hasNextPage ? [failures] : lists;
	const results = shown.flatMap(({ data }) => data?.pages.flatMap((page) => page.data) ?? []);
	if (broken === undefined && results.length === 0) return null;
	return (
		<section aria-label="Tests">
			<h3 className="mb-2 text-sm font-semibold">Tests</h3>
			<NotLoaded what="the tests" of={lists} />
			<ul aria-label="Tests of this job" className="divide-y divide-line rounded-lg border border-line">
				{results.map((result) => (
					<TestLine key={result.id} result={result} />
				))}
			</ul>
			<ShowMore list={failures.hasNextPage ? failures : others} className="mt-3" />
		</section>
	);
}

function TestLine({ result }: { result: TestResult }) {
	const { attempt, project, durationSeconds, message } = result;
	const details = [
		project,
		attempt > 1 ? `attempt ${attempt}` : null,
		durationSeconds === null ? null : formatLength(durationSeconds),
		aboutFailure(result),
	].filter((detail) => detail !== null);
	return (
		<li className="relative flex items-baseline gap-2 px-3 py-2 text-sm hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent">
			<ResultIcon result={result} className="size-4 self-start translate-y-0.5" />
			<span className="sr-only">{`${resultWord(result)}: `}</span>
			<span className="min-w-0 flex-1">
				<Link href={resultPath(result)} className="break-words outline-none after:absolute after:inset-0">
					{result.test}
				</Link>
				{message === null ? null : <span className="line-clamp-2 text-xs break-words text-muted">{message}</span>}
			</span>
			<span className="shrink-0 text-xs text-muted tabular-nums">{details.join(" · ")}</span>
		</li>
	);
}
