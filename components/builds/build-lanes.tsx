import type { Build } from "@tapedeck/contract/build.ts";
import { failingTests } from "@tapedeck/contract/build-summary.ts";
import { Link } from "#components/navigation/link.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { formatAge, formatShare } from "#lib/client/format.ts";
import { buildPath } from "./build-path.ts";
import { BuildStatusIcon, buildStatusWord } from "./build-status.tsx";
import { type Lane, lanesOf } from "./lanes.ts";

/** The most builds of a lane: as many as results in the sparkline of a test. */
const MOST = 30;

/** Outcomes of the last builds of each branch, the newest at the right. */
export const BuildLanes = ({ builds }: { builds: readonly Build[] }) => (
	<ul aria-label="Builds by branch" className="rounded-lg border border-line bg-surface">
		{lanesOf(builds).map((lane) => (
			<LaneRow key={lane.key} lane={lane} />
		))}
	</ul>
);

function LaneRow({ lane: { branch, series, builds } }: { lane: Lane }) {
	const name = branch ?? "No branch";
	const ended = builds.filter(({ status }) => status === "passed" || status === "failed");
	const passed = ended.filter(({ status }) => status === "passed").length;
	return (
		<li className="flex flex-col gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0 md:flex-row md:items-center">
			<div className="flex min-w-0 items-baseline gap-2 md:block md:w-60 md:shrink-0">
				<p className="truncate text-sm font-medium" title={name}>
					{name}
				</p>
				<p className="truncate text-xs text-muted" title={series}>
					{series}
				</p>
			</div>
			<ol
				aria-label={`Builds of ${[name, series].filter((part) => part !== "").join(", ")}`}
				className="flex min-w-0 flex-1 flex-wrap"
			>
				{builds
					.slice(0, MOST)
					.toReversed()
					.map((build) => (
						<Cell key={build.build} build={build} />
					))}
			</ol>
			<p className="flex shrink-0 gap-2 text-xs text-muted tabular-nums md:w-24 md:flex-col md:items-end md:gap-0">
				{ended.length === 0 ? null : <span className="text-ink">{`${formatShare(passed / ended.length)} passed`}</span>}
				{builds[0] === undefined ? null : <TimeAgo at={builds[0].lastAt} />}
			</p>
		</li>
	);
}

function Cell({ build }: { build: Build }) {
	const title = cellTitle(build);
	return (
		<li>
			<Link
				href={buildPath(build.build)}
				aria-label={title}
				title={title}
				suppressHydrationWarning
				className="flex size-6 items-center justify-center rounded-sm hover:bg-hover"
			>
				<BuildStatusIcon status={build.status} />
			</Link>
		</li>
	);
}

/** `Build 41 · Failed · 3 of 40 tests failed · 2 h ago`. */
function cellTitle({ build, status, tests, lastAt }: Build): string {
	const failed = failingTests(tests);
	return [
		`Build ${build}`,
		buildStatusWord(status),
		failed > 0 ? `${failed} of ${tests.all} tests failed` : null,
		formatAge(Date.parse(lastAt), Date.now()),
	]
		.filter((part) => part !== null)
		.join(" · ");
}
