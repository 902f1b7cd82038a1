/** A run of tests as the dashboard gets it: the recording of a display, or a test run without one. */
import type { Gate, Outcome, ReportedTest } from "@tapedeck/client";
import type { AttemptFile } from "./attempt-files.ts";

export interface MarkedFailure {
	label: string;
	message: string;
	/** The test's, which is kept if the message is cut. */
	place?: string;
	at: Date;
}

/** Nothing here throws but the gate: what goes wrong is a warning. */
export interface Run {
	/** The content of its page, such as "Recording of this run". */
	readonly title: string;
	/** Null when there is none, after a warning. */
	readonly url: string | null;
	/** The page of a test result, or what comes nearest to it while the dashboard has not stored the result. */
	linkTo(key: string, moment: Date): string;
	/** Adds the marker of a failure at a moment of this machine's clock, in the background and in the order of the calls. */
	markFailure(failure: MarkedFailure): void;
	/** Sends what became of a test, or that it has begun, in the background. */
	report(result: ReportedTest): void;
	/** Uploads the files of an attempt in the background, after its result. A recording has none. */
	attach?(key: string, title: string, isUrgent: boolean, files: readonly AttemptFile[]): void;
	/** Adds what a test has printed, in the background. */
	print(chunk: string | Buffer, level: "info" | "error"): void;
	/** Sends what is left, and ends the run if it is its own. */
	end(outcome: Outcome): Promise<void>;
	/**
	 * Decides whether the failures are all known, after the end.
	 * @param failed keys of the last results of tests that failed.
	 * @throws when it cannot be asked, or a result has not arrived.
	 */
	gate(failed: readonly string[]): Promise<Gate>;
	/** Adds it to the summary of the step, in GitHub Actions. @param links of tests that failed. */
	addToStepSummary(outcome: Outcome, links: readonly { title: string; url: string }[]): Promise<void>;
}

export function sentence(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return /[.!?]$/.test(message) ? message : `${message}.`;
}
