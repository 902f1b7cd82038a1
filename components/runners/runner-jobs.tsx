"use client";

import { useQuery } from "@tanstack/react-query";
import { JobDuration } from "#components/jobs/job-duration.tsx";
import { JobStatusMark, StatusIcon } from "#components/jobs/job-status.tsx";
import { Link } from "#components/navigation/link.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { jobQuery } from "#lib/client/jobs.ts";
import { lastJobsQuery } from "#lib/client/runners.ts";
import type { Job } from "#lib/contract/job.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { runnersTexts as texts } from "#lib/texts/runners.ts";

/** So many of the running jobs are told by name. */
const SHOWN = 5;
const linkClass = "min-w-0 truncate text-accent underline-offset-2 hover:underline";

/** What a runner records now, and for how long. */
export function RunningJobs({ runner }: { runner: Runner }) {
	const { runningJobIds: ids } = runner;
	if (ids.length === 0) {
		return <p className="text-sm text-muted">{runner.state === "online" ? texts.idle : texts.idleOffline}</p>;
	}
	return (
		<ul className="flex flex-col gap-1">
			{ids.slice(0, SHOWN).map((id) => (
				<li key={id} className="flex h-5 min-w-0 items-center gap-2 text-sm">
					<RunningJob id={id} />
				</li>
			))}
			{ids.length > SHOWN ? (
				<li>
					<Link
						href={`/jobs?status=starting&status=recording&status=uploading&runnerId=${runner.id}`}
						className="text-sm text-muted underline-offset-2 hover:underline"
					>
						{texts.andMore(ids.length - SHOWN)}
					</Link>
				</li>
			) : null}
		</ul>
	);
}

function RunningJob({ id }: { id: number }) {
	const job = useQuery(jobQuery(id)).data;
	return (
		<>
			{job ? <StatusIcon status={job.status} /> : null}
			<Link href={`/jobs/${id}`} className={linkClass}>
				{job?.name ?? texts.job(id)}
			</Link>
			{job ? (
				<>
					<span className="shrink-0 text-muted">{texts.onDisplay(job.displayId)}</span>
					<span className="ms-auto shrink-0 tabular-nums">
						<JobDuration job={job} />
					</span>
				</>
			) : null}
		</>
	);
}

/** The last jobs of a runner that are over. */
export function LastJobs({ runner }: { runner: Runner }) {
	const jobs = useQuery(lastJobsQuery(runner.id)).data;
	if (jobs === undefined) return <Skeleton className="h-5 w-2/3" />;
	if (jobs.length === 0) return <p className="text-sm text-muted">{texts.noJobs}</p>;
	return (
		<>
			<ul className="flex flex-col gap-1">
				{jobs.map((job) => (
					<li key={job.id} className="flex h-5 min-w-0 items-center gap-2 text-sm">
						<LastJob job={job} />
					</li>
				))}
			</ul>
			<Link
				href={`/jobs?runnerId=${runner.id}`}
				aria-label={texts.allJobsOf(runner.name)}
				className="mt-2 inline-block text-sm text-muted underline-offset-2 hover:underline"
			>
				{texts.allJobs}
			</Link>
		</>
	);
}

const LastJob = ({ job }: { job: Job }) => (
	<>
		<span className="w-26 shrink-0">
			<JobStatusMark status={job.status} />
		</span>
		<Link href={`/jobs/${job.id}`} className={linkClass}>
			{job.name}
		</Link>
		<span className="ms-auto shrink-0 text-xs text-muted tabular-nums">
			<TimeAgo at={job.endedAt ?? job.createdAt} />
		</span>
	</>
);
