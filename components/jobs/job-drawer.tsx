"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { copyText } from "#components/ui/copy.ts";
import { DialogClose, DialogRoot, DialogTitle, DrawerContent } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { jobFromLists, jobQuery } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { CancelJobButton } from "./cancel-job-button.tsx";
import { JobConfiguration } from "./job-configuration.tsx";
import { JobOutcome } from "./job-outcome.tsx";
import { JobPicture } from "./job-picture.tsx";
import { JobStatusMark } from "./job-status.tsx";
import { JobTimeline } from "./job-timeline.tsx";

interface Props {
	/** Null: the drawer is closed. */
	jobId: number | null;
	onClose(): void;
	onCloseAutoFocus(): void;
}

/** One job beside the list. Its address is `/jobs/{id}`. */
export function JobDrawer({ jobId, onClose, onCloseAutoFocus }: Props) {
	return (
		<DialogRoot open={jobId !== null} onOpenChange={(open) => (open ? undefined : onClose())}>
			{jobId === null ? null : (
				<DrawerContent
					key={jobId}
					aria-describedby={undefined}
					onOpenAutoFocus={(event) => {
						// The panel itself, so that nothing is pressed by chance and its name is read first.
						event.preventDefault();
						(event.currentTarget as HTMLElement).focus();
					}}
					onCloseAutoFocus={(event) => {
						event.preventDefault();
						onCloseAutoFocus();
					}}
				>
					<Content jobId={jobId} />
				</DrawerContent>
			)}
		</DialogRoot>
	);
}

function Content({ jobId }: { jobId: number }) {
	const client = useQueryClient();
	const query = useQuery({
		...jobQuery(jobId),
		placeholderData: () => jobFromLists(client, jobId),
	});
	const job = query.data;
	useTitleOf(job);
	if (job !== undefined) return <JobView job={job} />;
	return (
		<>
			<div className="flex items-start justify-between gap-3 border-b border-line p-4">
				<DialogTitle className="text-lg font-semibold">
					{query.isError ? `Job ${jobId} cannot be shown` : <Loading />}
				</DialogTitle>
				<DialogClose />
			</div>
			<div className="p-4">
				{query.isError ? (
					<Notice tone="danger" alert>
						{wordsOf(query.error)}
					</Notice>
				) : (
					<Skeleton className="aspect-video w-full" />
				)}
			</div>
		</>
	);
}

const Loading = () => (
	<>
		<span className="sr-only">Loading the job</span>
		<Skeleton className="mt-1 h-4 w-48" />
	</>
);

function JobView({ job }: { job: Job }) {
	return (
		<>
			<header className="flex items-start justify-between gap-3 border-b border-line py-3 pe-3 ps-4 sm:ps-6">
				<div className="min-w-0 py-0.5">
					<DialogTitle className="text-lg font-semibold break-words">{job.name}</DialogTitle>
					<div className="mt-1 flex flex-wrap items-center gap-2">
						<JobStatusMark status={job.status} pill />
						<span className="font-mono text-xs text-muted">#{job.id}</span>
					</div>
				</div>
				<div className="flex shrink-0 items-center gap-1">
					<CancelJobButton job={job} />
					<CopyLink jobId={job.id} />
					<DialogClose />
				</div>
			</header>
			<div className="flex flex-1 flex-col gap-6 overflow-y-auto p-4 *:shrink-0 sm:px-6">
				<JobPicture job={job} />
				<JobOutcome job={job} />
				<JobConfiguration job={job} />
				<JobTimeline jobId={job.id} />
			</div>
			<Announcer job={job} />
		</>
	);
}

function CopyLink({ jobId }: { jobId: number }) {
	const copy = async () => {
		const link = `${location.origin}/jobs/${jobId}`;
		if (await copyText(link)) toast.success("Copied the link to this job.");
		else toast.error(`The browser did not allow copying. The link is ${link}`);
	};
	return (
		<Button look="quiet" size="icon" aria-label="Copy link to this job" title="Copy link" onClick={() => void copy()}>
			<Link2 aria-hidden className="size-4" />
		</Button>
	);
}

/** Tells those who do not see it how the job went on while they had it open. */
function Announcer({ job }: { job: Job }) {
	const first = useRef(job.status);
	const words =
		job.status === first.current
			? ""
			: // The player itself says when its video is ready.
				job.status === "completed" && job.recording !== null
				? ""
				: `The job is ${job.status}.`;
	return (
		<p role="status" className="sr-only">
			{words}
		</p>
	);
}

/** The tab is called after the job for as long as its drawer is open. */
function useTitleOf(job: Job | undefined): void {
	const name = job?.name;
	useEffect(() => {
		if (name === undefined) return;
		document.title = `${name} · Tapedeck`;
		return () => {
			document.title = "Jobs · Tapedeck";
		};
	}, [name]);
}
