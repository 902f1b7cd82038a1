"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import type { SharedTest } from "@tapedeck/contract/link.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { firstFailureOf, resultAt } from "#components/tests/moments.ts";
import { isFailure, ResultIcon, resultWord } from "#components/tests/result-icon.tsx";
import { FailureTime, ResultMessage } from "#components/tests/result-message.tsx";
import type { ResultAddress } from "#components/tests/use-result-address.ts";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import type { Tab } from "#components/ui/tabs.tsx";
import { counted, formatLength } from "#lib/client/format.ts";
import { everyPage } from "#lib/client/paging.ts";

const loadPanel = () => import("#components/tests/tests-panel.tsx").then((module) => module.TestsPanel);

export interface SharedTests {
	/** The result above the video: the one in the address, otherwise the first failure, otherwise the only one. */
	selected: TestResult | undefined;
	/** Steps of it that the page does not have. */
	stepsLeftOut: number;
	/** Its attachments, if the link includes them. */
	attachments: readonly Attachment[];
	/** All results, if there are more than the one above the video. */
	tabs: readonly Tab[];
	isPending: boolean;
	error: unknown;
}

/**
 * The tests that a shared page shows; none where its link does not include them.
 * @param path of the link's calls.
 * @param seconds a moment that the address names; 0 if it names none.
 */
export function useSharedTests(
	path: string,
	isIncluded: boolean,
	{ resultId, select }: ResultAddress,
	seconds: number,
): SharedTests {
	const { data, isLoading, error } = useQuery({ ...sharedTestsQuery(path), enabled: isIncluded });
	const { results, leftOut, attachments } = data ?? NONE;
	const selected =
		results.find(({ id }) => id === resultId) ??
		(seconds === 0 ? undefined : resultAt(results, seconds)) ??
		firstFailureOf(results) ??
		(results.length === 1 ? results[0] : undefined);
	const hasMore = results.length > 1 || results.some(({ steps }) => steps.length > 0);
	return {
		selected,
		stepsLeftOut: selected === undefined ? 0 : (leftOut.get(selected.id) ?? 0),
		attachments: (selected && attachments.get(selected.id)) ?? [],
		tabs: hasMore
			? [
					{
						id: "tests",
						title: "Tests",
						content: <LazyContent load={loadPanel} results={results} selectedId={selected?.id} onSelect={select} />,
					},
				]
			: [],
		isPending: isLoading,
		error,
	};
}

const NONE: {
	results: readonly TestResult[];
	leftOut: ReadonlyMap<number, number>;
	attachments: ReadonlyMap<number, readonly Attachment[]>;
} = { results: [], leftOut: new Map(), attachments: new Map() };

const sharedTestsQuery = (path: string) =>
	queryOptions({
		queryKey: ["shared-tests", path],
		queryFn: async ({ signal }): Promise<typeof NONE> => {
			const tests = await everyPage<SharedTest>(`${path}/tests`, signal);
			return {
				// In the order of the video.
				results: tests
					.map(resultOf)
					.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.id - b.id),
				leftOut: new Map(tests.map(({ id, stepsLeftOut }) => [id, stepsLeftOut])),
				attachments: new Map(tests.map(({ id, attachments }) => [id, attachments])),
			};
		},
	});

/**
 * The result in the form that the dashboard shows, without data that a link does not reveal, and without further steps
 * to fetch.
 */
const resultOf = ({ attachments, ...test }: SharedTest): TestResult => ({
	...{
		jobId: null,
		testRunId: null,
		recordingId: null,
		testId: 0,
		key: "",
		file: null,
		line: null,
		endedAt: null,
		stack: null,
	},
	...{
		cause: null,
		reason: null,
		screen: null,
		hasFrame: false,
		attachmentCount: attachments.length,
		new: false,
		labels: {},
		changes: [],
		deletedRecording: null,
	},
	...test,
	stepsLeftOut: 0,
});

/** A test's outcome and its reason, for visitors without an account. */
export function SharedResult({ result, stepsLeftOut }: { result: TestResult; stepsLeftOut: number }) {
	const { test, project, attempt, durationSeconds } = result;
	return (
		<section aria-label="Test result" className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
			<div className="flex min-w-0 items-start gap-2">
				<ResultIcon result={result} className="mt-0.5 size-5" />
				<div className="min-w-0">
					<h2 className="text-base font-semibold break-words">{test}</h2>
					<ul className="flex flex-wrap gap-x-3 text-xs text-muted tabular-nums">
						<li className={clsx("font-medium", isFailure(result) && "text-danger")}>{resultWord(result)}</li>
						{attempt > 1 ? <li>{`Attempt ${attempt}`}</li> : null}
						{project === null ? null : <li className="min-w-0 break-words">{project}</li>}
						{durationSeconds === null ? null : <li>{formatLength(durationSeconds)}</li>}
						<FailureTime result={result} />
						{stepsLeftOut === 0 ? null : <li>{`${counted(stepsLeftOut, "more step", "more steps")} not shown`}</li>}
					</ul>
				</div>
			</div>
			<ResultMessage result={result} />
		</section>
	);
}
