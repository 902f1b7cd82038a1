"use client";

import { useQuery } from "@tanstack/react-query";
import type { TestResult, TestStep } from "@tapedeck/contract/test-result.ts";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import { counted, formatLength } from "#lib/client/format.ts";
import { ResultFrame } from "./result-frame.tsx";
import { isFailure, ResultIcon, resultWord } from "./result-icon.tsx";
import { ResultSummary } from "./result-summary.tsx";
import { testResultQuery } from "./tests.ts";
import { VideoNote } from "./video-note.tsx";

/** A result outside of its video, as where that is gone: why it ended so, the screen at that moment, and its steps. */
export function ResultDetails({
	result: listed,
	isOnTestPage = false,
}: {
	result: TestResult;
	isOnTestPage?: boolean;
}) {
	const result = useQuery(testResultQuery(listed.id)).data ?? listed;
	const { steps, stepsLeftOut } = result;
	return (
		<div className="flex flex-col gap-3">
			<ResultSummary result={result} isOnTestPage={isOnTestPage} />
			<VideoNote result={result} />
			<div className="grid items-start gap-4 lg:grid-cols-2">
				<ResultFrame result={result} />
				{steps.length === 0 ? null : (
					<div className="rounded-lg border border-line bg-surface">
						<h2 className="border-b border-line px-3 py-2 text-sm font-semibold">Steps</h2>
						{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
						<section aria-label="Steps" tabIndex={0} className="max-h-96 overflow-y-auto px-3 py-2">
							<Steps steps={steps} />
							{stepsLeftOut === 0 ? null : (
								<p className="mt-2 text-xs text-muted">{`${counted(stepsLeftOut, "more step", "more steps")} not shown`}</p>
							)}
						</section>
					</div>
				)}
			</div>
			{result.attachmentCount === 0 ? null : <LazyContent load={loadAttachments} resultId={result.id} />}
		</div>
	);
}

/** The page of a test loads them before it shows the result, so that nothing below jumps. */
export const loadAttachments = () => import("./result-attachments.tsx").then((module) => module.ResultAttachments);

const Steps = ({ steps }: { steps: readonly TestStep[] }) => (
	<ol className="flex flex-col gap-1 [&_ol]:mt-1 [&_ol]:ps-4">
		{steps.map((step, index) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: steps of the same name are told apart by their place alone
			<li key={index} className="text-sm">
				<span className="flex items-baseline gap-2">
					{isFailure(step) ? <ResultIcon result={step} className="size-4 self-center" /> : null}
					{isFailure(step) ? <span className="sr-only">{`${resultWord({ ...step, flaky: false })}: `}</span> : null}
					<span className="min-w-0 break-words">{step.title}</span>
					{step.durationSeconds === null ? null : (
						<span className="ms-auto shrink-0 text-xs text-muted tabular-nums">
							{formatLength(step.durationSeconds)}
						</span>
					)}
				</span>
				{step.steps.length === 0 ? null : <Steps steps={step.steps} />}
			</li>
		))}
	</ol>
);
