/** A build's outcome and size in a word or two. */
import type { Build } from "@tapedeck/contract/build.ts";
import { clsx } from "clsx";
import { CircleCheck, CircleDashed, CircleDot, CircleX, Clock3 } from "lucide-react";
import { counted, formatSpan } from "#lib/client/format.ts";

const LOOKS = {
	queued: { word: "Queued", Icon: Clock3, tone: "text-muted" },
	running: { word: "Running", Icon: CircleDot, tone: "text-accent" },
	failed: { word: "Failed", Icon: CircleX, tone: "text-danger" },
	passed: { word: "Passed", Icon: CircleCheck, tone: "text-ok" },
	none: { word: "No result", Icon: CircleDashed, tone: "text-muted" },
} as const;

type Status = Build["status"];

export const buildStatusWord = (status: Status): string => LOOKS[status ?? "none"].word;

export function BuildStatusIcon({ status }: { status: Status }) {
	const { Icon, tone } = LOOKS[status ?? "none"];
	return <Icon aria-hidden className={clsx("size-4 shrink-0", tone)} />;
}

/** Icon, word and colour, in the list of builds. */
export const BuildStatus = ({ status }: { status: Status }) => (
	<span
		className={clsx("inline-flex w-24 shrink-0 items-center gap-1.5 text-xs font-medium", LOOKS[status ?? "none"].tone)}
	>
		<BuildStatusIcon status={status} />
		{buildStatusWord(status)}
	</span>
);

/** The number of its tests; without any, of its recordings; without any, of its jobs or test runs. */
export function buildSize({ tests, recordings, jobs, testRuns, durationSeconds }: Build): string {
	if (tests.all > 0) return counted(tests.all, "test", "tests");
	if (recordings === 0) return jobs === 0 ? counted(testRuns, "run", "runs") : counted(jobs, "job", "jobs");
	return `${counted(recordings, "recording", "recordings")} · ${formatSpan(durationSeconds)}`;
}
