"use client";

import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { ChevronDown, ChevronUp, CircleStop, Link2, type LucideIcon, RotateCw } from "lucide-react";
import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { shortcutOf, useShortcuts, useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { OutcomeBadge } from "#components/recordings/outcome-badge.tsx";
import type { PlayerHandle } from "#components/recordings/player/recording-player.tsx";
import { VerdictNotice } from "#components/recordings/verdict-notice.tsx";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { copyText } from "#components/ui/copy-button.tsx";
import { DialogClose, DialogRoot, DialogTitle, DrawerContent } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { useDeferredMount } from "#components/ui/use-deferred-mount.ts";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { errorMessage } from "#lib/client/api.ts";
import { quoted } from "#lib/client/format.ts";
import { isCancellable } from "#lib/client/job-filters.ts";
import { jobFromLists, jobQuery, jobsQuery } from "#lib/client/jobs.ts";
import { openCreateForm } from "../create/create-form-url.ts";
import { STATUS_LABELS } from "../job-labels.ts";
import { JobStatusMark, StatusIcon } from "../job-status.tsx";
import { useJobsAddress } from "../list/use-jobs-address.ts";
import { useCancelWithToast } from "../use-cancel-jobs.ts";
import { JobConfiguration } from "./job-configuration.tsx";
import { JobOutcome } from "./job-outcome.tsx";
import { JobTimeline } from "./job-timeline.tsx";
import { JobVideo } from "./job-video.tsx";

export { loadPlayer } from "./job-video.tsx";

interface Props {
	/** Null: the drawer is closed. */
	jobId: number | null;
	/** A job that is known before it is fetched: the one that the page came with. */
	initialJob: Job | null;
	onClose(): void;
	onCloseAutoFocus(): void;
	/** Shows another job in the open drawer. */
	onOpen(id: number): void;
}

/** One job beside the list. Its address is `/jobs/{id}`. */
export function JobDrawer({ jobId, initialJob, onClose, onCloseAutoFocus, onOpen }: Props) {
	return (
		<DialogRoot open={jobId !== null} onOpenChange={(open) => (open ? undefined : onClose())}>
			{jobId === null ? null : (
				<Panel jobId={jobId} onCloseAutoFocus={onCloseAutoFocus} onOpen={onOpen}>
					<Content jobId={jobId} initialJob={initialJob} onOpen={onOpen} />
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
		// While the focus is inside, the arrows scroll, seek and choose.
		if (event.target !== event.currentTarget) return;
		const pressed = shortcutOf(event, ["nextOpenJob", "previousOpenJob"]);
		const to = pressed === undefined ? null : pressed === "nextOpenJob" ? next : previous;
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

function Content({ jobId, initialJob, onOpen }: Pick<Props, "initialJob" | "onOpen"> & { jobId: number }) {
	const client = useQueryClient();
	const query = useQuery({
		...jobQuery(jobId),
		placeholderData: () => jobFromLists(client, jobId) ?? (initialJob?.id === jobId ? initialJob : undefined),
		enabled: useDeferredMount(),
	});
	const job = query.data;
	usePageTitle(job?.name);
	if (job !== undefined) return <JobView job={job} onOpen={onOpen} />;
	return (
		<>
			<div className="flex items-start justify-between gap-3 border-b border-line p-4">
				<DialogTitle className="text-lg font-semibold">
					{query.isError ? `Can't show job ${jobId}` : <Loading />}
				</DialogTitle>
				<DialogClose />
			</div>
			<div className="p-4">
				{query.isError ? (
					<Notice tone="danger" alert>
						{errorMessage(query.error)}
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
		<span className="sr-only">Loading job</span>
		<Skeleton className="mt-1 h-4 w-48" />
	</>
);

function JobView({ job, onOpen }: Pick<Props, "onOpen"> & { job: Job }) {
	const player: PlayerHandle = useRef(null);
	return (
		<>
			<DrawerHead job={job} onOpen={onOpen} />
			<div key={job.id} className="flex flex-1 flex-col gap-6 overflow-y-auto bg-surface p-4 *:shrink-0 sm:px-6">
				<JobVideo job={job} player={player} />
				<JobOutcome job={job} player={player} />
				{job.deletedRecording === null ? null : <DeletedRecording job={job} />}
				<VerdictNotice verdict={job.recording?.verdict} />
				<Below job={job} />
				<Announcer job={job} />
			</div>
		</>
	);
}

/** Instead of a video that was deleted: the page that says so, where it can be restored. */
const DeletedRecording = ({ job }: { job: Job }) => (
	<p className="text-sm text-muted">
		Its recording was deleted.{" "}
		<Link href={`/recordings/${job.deletedRecording?.id}`} className="text-accent hover:underline">
			{job.deletedRecording?.restorableUntil === null ? "Details" : "Details and restore"}
		</Link>
	</p>
);

const loadTests = () => import("./job-tests.tsx").then((module) => module.JobTests);

/** Rendered after the rest, so that the drawer opens at once. */
function Below({ job }: { job: Job }) {
	const isTime = useDeferredMount();
	const Tests = useEagerLazyModule(loadTests, isTime);
	return isTime ? (
		<>
			<JobConfiguration job={job} />
			<JobTimeline job={job} />
			{/* Last, so that what is above it stays where it is when the tests have come. */}
			{Tests === null ? null : <Tests jobId={job.id} />}
		</>
	) : null;
}

/** Announces status changes to screen readers while the drawer is open. */
function Announcer({ job }: { job: Job }) {
	const first = useRef(job.status);
	// The player itself says when its video is ready.
	const silent = job.status === first.current || (job.status === "completed" && job.recording !== null);
	return (
		<p role="status" className="sr-only">
			{silent ? "" : `${STATUS_LABELS[job.status]}.`}
		</p>
	);
}

/** The top of the drawer: the job's name, its status and its actions. */
function DrawerHead({ job, onOpen }: { job: Job; onOpen(id: number): void }) {
	return (
		<header className="border-b border-line pt-2 pb-3 ps-4 pe-2 sm:ps-6 sm:pe-3">
			<div className="flex items-center gap-1">
				{job.outcome === null ? (
					<JobStatusMark status={job.status} pill />
				) : (
					<>
						<OutcomeBadge outcome={job.outcome} />
						<span className="ms-1 inline-flex items-center gap-1 text-xs whitespace-nowrap text-muted">
							<StatusIcon status={job.status} className="size-3.5" />
							<span className="max-[520px]:sr-only">{STATUS_LABELS[job.status]}</span>
						</span>
					</>
				)}
				<span className="ms-1 me-auto font-mono text-xs text-muted max-[420px]:hidden">#{job.id}</span>
				<div className="ms-auto flex items-center gap-1">
					<CancelJobButton job={job} />
					<RunAgainButton job={job} />
					<NeighbourButtons jobId={job.id} onOpen={onOpen} />
					<CopyLink jobId={job.id} />
					<DialogClose />
				</div>
			</div>
			<DialogTitle className="mt-1 pe-2 text-lg font-semibold break-words">{job.name}</DialogTitle>
		</header>
	);
}

/** Opens the form filled in as this job was, once the job itself has ended. */
function RunAgainButton({ job }: { job: Job }) {
	// The form creates recordings only.
	if (!useCan("jobs:write") || !isEnded(job.status) || job.type !== "recording") return null;
	return (
		<Button onClick={() => openCreateForm({ like: job.id })}>
			<RotateCw aria-hidden className="size-4" />
			Run again
		</Button>
	);
}

function NeighbourButtons({ jobId, onOpen }: { jobId: number; onOpen(id: number): void }) {
	const { previous, next } = useNeighbours(jobId);
	return (
		<>
			<Step Icon={ChevronUp} label="Previous job" hint="Previous job (↑)" to={previous} onOpen={onOpen} />
			<Step Icon={ChevronDown} label="Next job" hint="Next job (↓)" to={next} onOpen={onOpen} />
		</>
	);
}

interface StepProps {
	Icon: LucideIcon;
	label: string;
	hint: string;
	to: number | null;
	onOpen(id: number): void;
}

// Not `disabled` at the list's end: the focus stays where it is.
const Step = ({ Icon, label, hint, to, onOpen }: StepProps) => (
	<Button
		variant="ghost"
		size="icon"
		aria-label={label}
		title={hint}
		aria-disabled={to === null}
		onClick={() => (to === null ? undefined : onOpen(to))}
	>
		<Icon aria-hidden className="size-4" />
	</Button>
);

function CopyLink({ jobId }: { jobId: number }) {
	const copy = async () => {
		const link = `${location.origin}/jobs/${jobId}`;
		if (await copyText(link)) toast.success("Copied link to this job.");
		else toast.error(`Your browser blocked copying. The link is ${link}`);
	};
	return (
		<Button
			variant="ghost"
			size="icon"
			aria-label="Copy link to this job"
			title="Copy link"
			onClick={() => void copy()}
		>
			<Link2 aria-hidden className="size-4" />
		</Button>
	);
}

/**
 * `Cancel job` while that has an effect, `Cancelling…` once requested, nothing when the job has ended. Its key C asks
 * first: a letter is pressed by accident, or meant for something else.
 */
function CancelJobButton({ job }: { job: Job }) {
	const cancel = useCancelWithToast();
	const mayWrite = useCan("jobs:write");
	const asked = job.cancelRequestedAt !== null;
	const button = useRef<HTMLButtonElement>(null);
	const [confirming, setConfirming] = useState(false);
	const singleKeys = useSingleKeys();
	const isShown = mayWrite && !isEnded(job.status) && (asked || isCancellable(job));
	useShortcuts(isShown && !asked ? { cancelJob: () => setConfirming(true) } : {}, (dialog) =>
		dialog.contains(button.current),
	);
	if (!isShown) return null;
	// Not `disabled`: that would drop the focus.
	return (
		<>
			<Button
				ref={button}
				variant="danger"
				title={singleKeys ? "Cancel job (C)" : undefined}
				aria-disabled={asked}
				onClick={asked ? undefined : () => cancel(job)}
			>
				<CircleStop aria-hidden className="size-4" />
				{asked ? "Cancelling…" : "Cancel job"}
			</Button>
			<ConfirmDialog
				open={confirming && !asked}
				onOpenChange={setConfirming}
				title={`Cancel ${quoted(job.name)}?`}
				action="Cancel job"
				dismiss="Keep job"
				onConfirm={() => {
					setConfirming(false);
					cancel(job);
				}}
			>
				{job.startedAt === null
					? "It hasn't started recording, so there will be no video."
					: "Recording stops now. Anything recorded so far is saved."}
			</ConfirmDialog>
		</>
	);
}

interface Neighbours {
	/** The job above it in the list; null when there is none. */
	previous: number | null;
	/** The job below it, as far as the list is loaded. */
	next: number | null;
}

const NONE: Neighbours = { previous: null, next: null };

function neighboursIn(pages: readonly Page<Job>[], jobId: number): Neighbours {
	let previous: number | null = null;
	let found = false;
	for (const page of pages) {
		for (const { id } of page.data) {
			if (found) return { previous, next: id };
			if (id === jobId) found = true;
			else previous = id;
		}
	}
	return found ? { previous, next: null } : NONE;
}

/** The jobs above and below this one in the list behind the drawer, with its filters. Fetches nothing. */
function useNeighbours(jobId: number): Neighbours {
	const { filters } = useJobsAddress();
	const select = useCallback((list: InfiniteData<Page<Job>>) => neighboursIn(list.pages, jobId), [jobId]);
	return useInfiniteQuery({ ...jobsQuery(filters), enabled: false, select }).data ?? NONE;
}
