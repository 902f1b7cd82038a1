import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { failurePath } from "#components/failures/failure-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { AgentBadge } from "#components/recordings/agent-badge.tsx";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { isFailure, ResultIcon, resultWord } from "#components/tests/result-icon.tsx";
import { testPath } from "#components/tests/test-path.ts";
import { formatLength } from "#lib/client/format.ts";

interface Props {
	results: readonly TestResult[];
	/** The accessible name of the list. */
	label?: string;
}

/** Tests of a build, each with its last result. */
export const TestRows = ({ results, label = "Tests" }: Props) => (
	<ul aria-label={label} className="overflow-hidden rounded-lg border border-line bg-surface">
		{results.map((result) => (
			<ResultRow key={result.id} result={result} />
		))}
	</ul>
);

const CHIP = "shrink-0 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap";

function ResultRow({ result }: { result: TestResult }) {
	const { test, testId, message, reason, recordingId, attempt, durationSeconds, project } = result;
	const failed = isFailure(result);
	const details = [
		project,
		attempt > 1 ? `attempt ${attempt}` : null,
		durationSeconds === null ? null : formatLength(durationSeconds),
		aboutFailure(result),
		recordingId === null ? "no video" : null,
	].filter((part) => part !== null);
	return (
		<li className="relative flex gap-3 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-hover has-[a[data-result]:focus-visible]:outline-2 has-[a[data-result]:focus-visible]:-outline-offset-2 has-[a[data-result]:focus-visible]:outline-accent md:px-4">
			<ResultIcon result={result} className="mt-0.5 size-4" />
			<div className="min-w-0 flex-1">
				<div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
					<span className="sr-only">{`${resultWord(result)}: `}</span>
					<Link
						href={failed ? failurePath(result) : resultPath(result)}
						data-result={result.id}
						onClick={() => failed && recordingId !== null && requestPlay(recordingId)}
						className="min-w-0 text-sm font-medium break-words outline-none after:absolute after:inset-0"
					>
						{test}
					</Link>
					{result.new ? <span className={`${CHIP} bg-accent text-on-accent`}>New</span> : null}
					{result.flaky ? <span className={`${CHIP} bg-soft-warn text-warn`}>Flaky</span> : null}
					<AgentBadge labels={result.labels} />
				</div>
				{reason === null ? null : (
					<p className="mt-0.5 truncate font-mono text-xs text-muted" title={message ?? undefined}>
						{reason}
					</p>
				)}
				<p className="text-xs text-muted tabular-nums">{details.join(" · ")}</p>
			</div>
			<Link
				href={testPath(testId)}
				aria-label={`History of ${test}`}
				className="relative z-10 flex min-h-6 shrink-0 items-center self-start rounded-sm px-1 text-xs text-muted hover:text-ink hover:underline"
			>
				History
			</Link>
		</li>
	);
}
