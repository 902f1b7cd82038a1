"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { ListVideo } from "lucide-react";
import { failureTitle } from "#components/jobs/job-labels.ts";
import { JobMark, JobStatusMark } from "#components/jobs/job-status.tsx";
import { Link } from "#components/navigation/link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { jobsQuery } from "#lib/client/jobs.ts";
import { useRunnerName } from "#lib/client/runners.ts";

/**
 * All jobs of a build: also those that wait, recorded nothing or failed.
 * @param props.q the search that finds them
 */
export function BuildJobs({ q }: { q: string }) {
	const list = useInfiniteQuery(jobsQuery({ q }));
	const jobs = list.data?.pages.flatMap(({ data }) => data) ?? [];
	return (
		<div className="p-4 md:p-6">
			<NotLoaded what="the jobs" of={list} />
			{list.isPending ? <Skeleton className="h-40 rounded-lg" /> : null}
			{list.isSuccess && jobs.length === 0 ? (
				<EmptyState icon={ListVideo} title="No jobs in this build">
					Jobs with the label <code>build</code> appear here as they are created. Uploaded videos have none.
				</EmptyState>
			) : null}
			{jobs.length > 0 ? (
				<ul aria-label="Jobs" className="overflow-hidden rounded-lg border border-line bg-surface">
					{jobs.map((job) => (
						<JobLine key={job.id} job={job} />
					))}
				</ul>
			) : null}
			<ShowMore list={list} className="mt-4" />
		</div>
	);
}

function JobLine({ job }: { job: Job }) {
	const runner = useRunnerName(job.runnerId) ?? `Runner ${job.runnerId}`;
	return (
		<li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:px-4">
			<span className="w-36 shrink-0">
				<JobMark job={job} />
			</span>
			<Link
				href={`/jobs/${job.id}`}
				className="min-w-0 flex-1 basis-48 truncate text-sm font-medium outline-none after:absolute after:inset-0"
			>
				{job.name}
			</Link>
			<span className="text-xs text-muted tabular-nums">
				{job.outcome === null ? null : (
					<>
						<JobStatusMark status={job.status} className="text-xs!" />
						{" · "}
					</>
				)}
				{job.status === "failed" ? `${failureTitle(job)} · ` : null}
				{`${runner} · `}
				<TimeAgo at={job.startedAt ?? job.createdAt} />
			</span>
		</li>
	);
}
