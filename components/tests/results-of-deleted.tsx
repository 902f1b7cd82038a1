"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { firstFailureOf } from "./moments.ts";
import { ResultDetails } from "./result-details.tsx";
import { ResultIcon, resultWord } from "./result-icon.tsx";
import { testResultsQuery } from "./tests.ts";

/** The remaining results of a deleted video: its first failure in full, and the others. */
export function ResultsOfDeleted({ jobId }: { jobId: number }) {
	const list = useInfiniteQuery(testResultsQuery({ jobId }));
	const results = list.data?.pages.flatMap(({ data }) => data).toReversed() ?? [];
	const failure = firstFailureOf(results);
	const others = results.filter((result) => result !== failure);
	return (
		<>
			{failure === undefined ? null : <ResultDetails result={failure} />}
			{others.length === 0 ? null : (
				<section aria-label="Other results">
					<h2 className="mb-2 text-sm font-semibold">{failure === undefined ? "Its tests" : "Its other tests"}</h2>
					<ul className="divide-y divide-line rounded-lg border border-line bg-surface">
						{others.map((result) => (
							<li key={result.id} className="flex min-w-0 items-center gap-2 px-3 py-2 text-sm">
								<ResultIcon result={result} className="size-4" />
								<span className="sr-only">{`${resultWord(result)}: `}</span>
								<Link
									href={resultPath(result)}
									title={result.test}
									className="min-w-0 truncate leading-6 hover:underline"
								>
									{result.test}
								</Link>
							</li>
						))}
					</ul>
					<ShowMore list={list} className="mt-2" />
				</section>
			)}
		</>
	);
}
