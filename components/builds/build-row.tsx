import type { Build } from "@tapedeck/contract/build.ts";
import { Link } from "#components/navigation/link.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { formatSpan, shortCommit } from "#lib/client/format.ts";
import { BuildResults } from "./build-counts.tsx";
import { buildPath } from "./build-path.ts";
import { BuildStatus, buildSize } from "./build-status.tsx";

/** A build in the list. Its name is the link, and the link covers the whole row. */
export const BuildRow = ({ build }: { build: Build }) => (
	<li className="relative flex flex-col gap-x-4 gap-y-1.5 border-b border-line px-4 py-3 last:border-b-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:flex-row md:items-center">
		<BuildStatus status={build.status} />
		<div className="min-w-0 md:w-60 md:shrink-0">
			<Link
				href={buildPath(build.build)}
				className="block truncate text-sm font-medium outline-none after:absolute after:inset-0"
				title={build.build}
			>
				{build.build}
			</Link>
			<p className="text-xs text-muted tabular-nums">{buildSize(build)}</p>
		</div>
		<p className="flex min-w-0 gap-2 text-xs text-muted md:w-44 md:shrink-0 md:flex-col md:gap-0">
			<span className="truncate text-ink" title={build.branch ?? undefined}>
				{build.branch}
			</span>
			<span className="shrink-0 font-mono" title={build.commit ?? undefined}>
				{build.commit === null ? null : shortCommit(build.commit)}
			</span>
		</p>
		<div className="min-w-0 flex-1">
			<BuildResults build={build} />
		</div>
		<p className="flex shrink-0 gap-2 text-xs text-muted tabular-nums md:w-24 md:flex-col md:items-end md:gap-0">
			<Duration build={build} />
			<TimeAgo at={build.lastAt} />
		</p>
	</li>
);

/** The time from the beginning of its first job to the end of its last one. A test run may be imported long after its tests ran. */
function Duration({ build: { jobs, startedAt, endedAt } }: { build: Build }) {
	if (jobs === 0 || startedAt === null || endedAt === null) return null;
	return <span>{formatSpan((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000)}</span>;
}
