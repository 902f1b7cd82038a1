"use client";

import { aboutFailure, aboutTime } from "@tapedeck/contract/about-time.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { Link } from "#components/navigation/link.tsx";
import { formatAge } from "#lib/client/format.ts";
import { ResultIcon, resultWord } from "./result-icon.tsx";

interface Props {
	/** The newest first, as lists have them: the strip shows the newest last, as time runs. */
	results: readonly TestResult[];
	/** The one that the page shows. */
	currentId?: number;
	/** Name of the strip for screen readers. */
	label: string;
	/** Shown at a failure, to tell causes apart. */
	letterOf?(cause: string): string | undefined;
	className?: string;
}

/** The last results of a test: each a link, by colour and shape. */
export function OutcomeStrip({ results, currentId, label, letterOf, className }: Props) {
	if (results.length === 0) return null;
	return (
		<ol aria-label={label} className={clsx("flex flex-wrap", className)}>
			{results.toReversed().map((result) => {
				const letter = result.cause === null ? undefined : letterOf?.(result.cause);
				const title = resultTitle(result, letter);
				return (
					<li key={result.id}>
						<Link
							href={resultPath(result)}
							aria-label={title}
							aria-current={result.id === currentId ? "true" : undefined}
							title={title}
							suppressHydrationWarning
							className={clsx(
								"flex w-6 flex-col items-center rounded-sm py-1 hover:bg-hover",
								letterOf === undefined ? "h-6" : "h-9",
								result.id === currentId && "bg-accent-soft outline outline-accent -outline-offset-1",
							)}
						>
							<ResultIcon result={result} className="size-4" />
							{letter === undefined ? null : <span className="text-[10px] leading-3 text-danger">{letter}</span>}
						</Link>
					</li>
				);
			})}
		</ol>
	);
}

/** `Failed · build 41 · main · 2 h ago · cause A`. */
export function resultTitle(result: TestResult, letter?: string): string {
	const { build, branch } = result.labels;
	return [
		resultWord(result),
		build === undefined ? null : `build ${build}`,
		branch,
		result.project,
		result.attempt > 1 ? `attempt ${result.attempt}` : null,
		aboutFailure(result),
		aboutTime(result, formatAge(Date.parse(result.startedAt), Date.now())),
		letter === undefined ? null : `cause ${letter}`,
	]
		.filter((part) => part != null)
		.join(" · ");
}
