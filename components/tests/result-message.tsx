"use client";

import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { isFailure } from "./result-icon.tsx";

/** A longer message is shown from its beginning, where it scrolls, and in full on request. */
const SHORT_LINES = 6;
const SHORT_CHARACTERS = 400;

/** The error as it was sent. Its stack is shown on request. */
export function ResultMessage({ result }: { result: TestResult }) {
	const { test, message, stack } = result;
	const [isWhole, setWhole] = useState(false);
	const [isStackOpen, setStackOpen] = useState(false);
	const id = useId();
	if (message === null && stack === null) {
		return isFailure(result) ? <p className="text-sm text-muted">No message was reported.</p> : null;
	}
	const shown = message ?? stack ?? "";
	const isLong = shown.length > SHORT_CHARACTERS || shown.split("\n").length > SHORT_LINES;
	const hasStack = message !== null && stack !== null;
	return (
		<div className="relative min-w-0 rounded-md border border-line bg-inset">
			<pre
				id={`${id}message`}
				// A scrollable area must be reachable by keyboard.
				tabIndex={isLong && !isWhole ? 0 : undefined}
				className={clsx(
					"overflow-y-auto py-2 ps-3 pe-9 font-mono text-xs leading-5 break-words whitespace-pre-wrap text-ink",
					isLong && !isWhole && "max-h-32",
				)}
			>
				{shown}
			</pre>
			{isLong || hasStack ? (
				<div className="flex gap-1 border-t border-line p-0.5">
					{isLong ? (
						<Button
							variant="ghost"
							size="small"
							aria-expanded={isWhole}
							aria-controls={`${id}message`}
							onClick={() => setWhole(!isWhole)}
						>
							{isWhole ? "Show less" : "Show all"}
							<span className="sr-only">{` of the message of ${test}`}</span>
						</Button>
					) : null}
					{hasStack ? (
						<Button
							variant="ghost"
							size="small"
							aria-expanded={isStackOpen}
							aria-controls={`${id}stack`}
							onClick={() => setStackOpen(!isStackOpen)}
						>
							{isStackOpen ? "Hide stack" : "Show stack"}
						</Button>
					) : null}
				</div>
			) : null}
			{hasStack ? (
				<pre
					id={`${id}stack`}
					hidden={!isStackOpen}
					// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
					tabIndex={0}
					className="max-h-96 overflow-auto border-t border-line px-3 py-2 font-mono text-xs leading-5 text-muted"
				>
					{stack}
				</pre>
			) : null}
			<CopyButton
				text={hasStack ? `${message}\n\n${stack}` : shown}
				label={`Copy the message of ${test}`}
				className="absolute end-0.5 top-0.5 bg-inset"
			/>
		</div>
	);
}

/** The approximate time at which the video shows the failure. */
export function FailureTime({ result }: { result: TestResult }) {
	const about = aboutFailure(result);
	return about === null ? null : <li className="first-letter:uppercase">{about}</li>;
}
