import { isFailure as isFailureOutcome, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { CircleCheck, CircleDashed, CircleSlash2, CircleX, type LucideIcon, OctagonAlert } from "lucide-react";

const LOOKS: Readonly<Record<Outcome | "running", { word: string; Icon: LucideIcon; tone: string }>> = {
	passed: { word: "Passed", Icon: CircleCheck, tone: "text-ok" },
	failed: { word: "Failed", Icon: CircleX, tone: "text-danger" },
	error: { word: "Error", Icon: OctagonAlert, tone: "text-danger" },
	skipped: { word: "Skipped", Icon: CircleSlash2, tone: "text-muted" },
	running: { word: "No result yet", Icon: CircleDashed, tone: "text-muted" },
};

/** Whether it is something to look into. */
export const isFailure = ({ outcome }: { outcome: Outcome | null }): boolean => isFailureOutcome(outcome);

/** The outcome of a test in a word or two. */
export const resultWord = ({ outcome, flaky }: Pick<TestResult, "outcome" | "flaky">): string =>
	`${LOOKS[outcome ?? "running"].word}${flaky ? ", flaky" : ""}`;

/** The outcome of a test or a step, by colour and shape; its name must stand next to it. */
export function ResultIcon({ result, className }: { result: { outcome: Outcome | null }; className?: string }) {
	const { Icon, tone } = LOOKS[result.outcome ?? "running"];
	return <Icon aria-hidden className={clsx("shrink-0", tone, className)} />;
}
