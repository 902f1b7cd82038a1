import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { Columns2, Play } from "lucide-react";
import { Link } from "#components/navigation/link.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { formatLength } from "#lib/client/format.ts";
import { ResultFrame } from "./result-frame.tsx";
import { ResultIcon, resultWord } from "./result-icon.tsx";
import { compareResultsPath } from "./test-path.ts";
import { VideoNote } from "./video-note.tsx";

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
