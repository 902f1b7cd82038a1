"use client";

import { useQuery } from "@tanstack/react-query";
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult, TestStep } from "@tapedeck/contract/test-result.ts";
import { Columns2, Play } from "lucide-react";
import { useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { framePath, frameTime, storyboardQuery } from "#components/recordings/storyboard.ts";
import { deletedByText } from "#components/recordings/trash/deletion-text.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { counted, formatExact, formatLength } from "#lib/client/format.ts";
import { endOf } from "./moments.ts";
import { isFailure, ResultIcon, resultWord } from "./result-icon.tsx";
import { ResultSummary } from "./result-summary.tsx";
import { compareResultsPath } from "./test-path.ts";
import { failureFramePath, testResultQuery } from "./tests.ts";

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

/**
 * One result: what was on screen, how it ended and where.
 * @param props.compareWith the id of the result to compare it with; null for none
 */
export function ResultCard({ result, compareWith }: { result: TestResult; compareWith: number | null }) {
	const { recordingId, message, labels, durationSeconds, startedAt, isApproximate } = result;
	return (
		<div className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
			<ResultFrame result={result} />
			<div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
				<ResultIcon result={result} className="size-4" />
				<Link href={resultPath(result)} className="leading-6 font-medium underline-offset-2 hover:underline">
					{resultWord(result)}
				</Link>
				<span className="text-xs break-words text-muted tabular-nums">
					{[
						labels.build === undefined ? null : `Build ${labels.build}`,
						labels.branch,
						durationSeconds === null ? null : formatLength(durationSeconds),
						aboutFailure(result),
					]
						.filter((part) => part != null)
						.map((part) => `${part} · `)}
					<TimeAgo at={startedAt} isAbout={isApproximate} />
				</span>
			</div>
			{message === null ? null : (
				// Its own padding would show a part of the line that is cut off.
				<div className="rounded-md border border-line bg-inset px-3 py-2">
					<pre className="line-clamp-4 font-mono text-xs leading-5 break-words whitespace-pre-wrap">{message}</pre>
				</div>
			)}
			<VideoNote result={result} />
			<div className="flex flex-wrap gap-1.5">
				{recordingId === null ? null : (
					<Link href={resultPath(result)} className={buttonClass("secondary", "small")}>
						<Play aria-hidden className="size-3.5" />
						Open the video
					</Link>
				)}
				{recordingId === null || compareWith === null ? null : (
					<Link href={compareResultsPath(result, compareWith)} className={buttonClass("secondary", "small")}>
						<Columns2 aria-hidden className="size-3.5" />
						Compare with last passed
					</Link>
				)}
			</div>
		</div>
	);
}

/** The frame at which a test failed or ended; nothing if no frame is left. */
function ResultFrame({ result }: { result: TestResult }) {
	const { id, hasFrame, recordingId, test } = result;
	const { data: times } = useQuery({
		...storyboardQuery({ id: recordingId ?? 0, state: "ready" }),
		enabled: !hasFrame && recordingId !== null,
	});
	const [isBroken, setBroken] = useState(false);
	const at = times === undefined ? null : frameTime(times, result.failureOffsetSeconds ?? endOf(result) ?? 0);
	const src = hasFrame ? failureFramePath(id) : recordingId !== null && at !== null ? framePath(recordingId, at) : null;
	if (isBroken || (src === null && recordingId === null)) return null;
	return (
		<div className="aspect-video overflow-hidden rounded-md border border-line bg-black">
			{src === null ? null : (
				// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
				<img
					src={src}
					alt={`The screen at the end of ${test}`}
					loading="lazy"
					decoding="async"
					onError={() => setBroken(true)}
					className="size-full object-contain"
				/>
			)}
		</div>
	);
}

/** Why there is no video of a result; nothing where there is one. */
function VideoNote({ result }: { result: TestResult }) {
	const { recordingId, deletedRecording: deleted } = result;
	if (recordingId !== null) return null;
	return (
		<p className="text-sm text-muted" suppressHydrationWarning>
			{deleted === null
				? "Nothing was recorded."
				: `The video was ${deletedByText(deleted)} on ${formatExact(deleted.deletedAt)}.`}
		</p>
	);
}
