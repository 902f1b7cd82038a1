"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useRef } from "react";
import { usePageTitle } from "#components/shell/use-page-title.ts";
import { DialogClose, DialogRoot, DialogTitle, DrawerContent } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useSettled } from "#components/ui/use-settled.ts";
import { wordsOf } from "#lib/client/api.ts";
import { jobFromLists, jobQuery } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobDrawerTexts as texts } from "#lib/texts/job-drawer.ts";
import { JobConfiguration } from "./job-configuration.tsx";
import { JobDrawerHead } from "./job-drawer-head.tsx";
import { JobOutcome } from "./drawer/job-outcome.tsx";
import { JobPicture } from "./drawer/job-video.tsx";
import { JobTimeline } from "./job-timeline.tsx";
import { useNeighbours } from "./use-neighbours.ts";

interface Props {
	/** Null: the drawer is closed. */
	jobId: number | null;
	onClose(): void;
	onCloseAutoFocus(): void;
	/** Shows another job in the open drawer. */
	onOpen(id: number): void;
}

/** One job beside the list. Its address is `/jobs/{id}`. */
export function JobDrawer({ jobId, onClose, onCloseAutoFocus, onOpen }: Props) {
	return (
		<DialogRoot open={jobId !== null} onOpenChange={(open) => (open ? undefined : onClose())}>
			{jobId === null ? null : (
				<Panel jobId={jobId} onCloseAutoFocus={onCloseAutoFocus} onOpen={onOpen}>
					<Content jobId={jobId} onOpen={onOpen} />
				</Panel>
			)}
		</DialogRoot>
	);
}

interface PanelProps extends Pick<Props, "onCloseAutoFocus" | "onOpen"> {
	jobId: number;
	children: React.ReactNode;
}

/** Stays the same panel while the arrows lead from job to job. */
function Panel({ jobId, onCloseAutoFocus, onOpen, children }: PanelProps) {
	const { previous, next } = useNeighbours(jobId);
	const step = (event: KeyboardEvent<HTMLElement>) => {
		// With the focus inside, the arrows scroll, seek and choose.
		if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey)
			return;
		const to = event.key === "ArrowDown" ? next : event.key === "ArrowUp" ? previous : null;
		if (to === null) return;
		event.preventDefault();
		onOpen(to);
	};
	return (
		<DrawerContent
			aria-describedby={undefined}
			onKeyDown={step}
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
			{children}
		</DrawerContent>
	);
}

function Content({ jobId, onOpen }: Pick<Props, "onOpen"> & { jobId: number }) {
	const client = useQueryClient();
	const query = useQuery({
		...jobQuery(jobId),
		placeholderData: () => jobFromLists(client, jobId),
		enabled: useSettled(),
	});
	const job = query.data;
	usePageTitle(job?.name);
	if (job !== undefined) return <JobView job={job} onOpen={onOpen} />;
	return (
		<>
			<div className="flex items-start justify-between gap-3 border-b border-line p-4">
				<DialogTitle className="text-lg font-semibold">
					{query.isError ? texts.cannotBeShown(jobId) : <Loading />}
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
		<span className="sr-only">{texts.loading}</span>
		<Skeleton className="mt-1 h-4 w-48" />
	</>
);

function JobView({ job, onOpen }: Pick<Props, "onOpen"> & { job: Job }) {
	const position = useRef<(() => number) | null>(null);
	return (
		<>
			<JobDrawerHead job={job} onOpen={onOpen} />
			<div key={job.id} className="flex flex-1 flex-col gap-6 overflow-y-auto bg-surface p-4 *:shrink-0 sm:px-6">
				<JobPicture job={job} position={position} />
				<JobOutcome job={job} position={position} />
				<Below job={job} />
				<Announcer job={job} />
			</div>
		</>
	);
}

/** What is read after the rest: the browser draws the drawer first. */
function Below({ job }: { job: Job }) {
	return useSettled() ? (
		<>
			<JobConfiguration job={job} />
			<JobTimeline job={job} />
		</>
	) : null;
}

/** Tells those who do not see it how the job went on while they had it open. */
function Announcer({ job }: { job: Job }) {
	const first = useRef(job.status);
	// The player itself says when its video is ready.
	const silent = job.status === first.current || (job.status === "completed" && job.recording !== null);
	return (
		<p role="status" className="sr-only">
			{silent ? "" : texts.becameStatus(job.status)}
		</p>
	);
}
