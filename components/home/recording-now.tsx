"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { JobDuration } from "#components/jobs/job-duration.tsx";
import { StatusIcon } from "#components/jobs/job-status.tsx";
import { Link } from "#components/navigation/link.tsx";
import { DisplayPicture } from "#components/runners/display-picture.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { recordingNowQuery } from "#lib/client/jobs.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { BOX, Calm, HomeSection, ROW, ROW_LINK } from "./home-section.tsx";

const SHOWN = 6;
/** So many of these have a picture of their display. */
const WITH_PICTURE = 3;

/** The jobs that record now, the newest first. */
export function RecordingNow() {
	const list = useInfiniteQuery(recordingNowQuery());
	const jobs = list.data?.pages.flatMap(({ data }) => data) ?? [];
	const all = `${jobs.length}${list.hasNextPage ? "+" : ""}`;
	return (
		<HomeSection
			title="Recording now"
			more={
				jobs.length > SHOWN
					? { href: "/jobs?status=recording", name: `All ${all}` }
					: { href: "/jobs", name: "All jobs" }
			}
		>
			<NotLoaded what="the jobs" of={list} />
			{list.isSuccess && jobs.length === 0 ? (
				<Calm>
					<p>Nothing is being recorded.</p>
				</Calm>
			) : null}
			{jobs.length === 0 ? null : (
				<ul aria-label="Jobs that record" className={BOX}>
					{jobs.slice(0, SHOWN).map((job, index) => (
						<Row key={job.id} job={job} hasPicture={index < WITH_PICTURE} />
					))}
				</ul>
			)}
		</HomeSection>
	);
}

function Row({ job, hasPicture }: { job: Job; hasPicture: boolean }) {
	const runner = useQuery(runnersQuery()).data?.find(({ id }) => id === job.runnerId);
	return (
		<li className={ROW}>
			<div className="flex min-w-0 flex-1 flex-col gap-2">
				<div className="flex min-w-0 items-baseline gap-2">
					<StatusIcon status={job.status} className="self-center" />
					<Link
						href={`/jobs/${job.id}`}
						title={job.name}
						className={`${ROW_LINK} min-w-0 truncate text-sm font-medium`}
					>
						{job.name}
					</Link>
					<span className="ms-auto shrink-0 text-xs tabular-nums">
						<JobDuration job={job} />
					</span>
				</div>
				{hasPicture ? (
					<DisplayPicture runnerId={job.runnerId} displayId={job.displayId} online={runner?.state === "online"} />
				) : null}
				<p className="truncate text-xs text-muted">
					<span className="font-mono">{job.displayId}</span>
					{` of ${runner?.name ?? `runner ${job.runnerId}`}`}
				</p>
			</div>
		</li>
	);
}
