"use client";

import { ChevronDown, ChevronUp, Link2, type LucideIcon, RotateCw } from "lucide-react";
import { useCan } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { copyText } from "#components/ui/copy.ts";
import { DialogClose, DialogTitle } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toast.ts";
import { isEndedStatus } from "#lib/client/job-filters.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobDrawerTexts as texts } from "#lib/texts/job-drawer.ts";
import { CancelJobButton } from "./cancel-job-button.tsx";
import { openCreateForm } from "./create-form-door.ts";
import { JobStatusMark } from "./job-status.tsx";
import { useNeighbours } from "./use-neighbours.ts";

/** The top of the drawer: what the job is called, how it stands, and what can be done with it. */
export function JobDrawerHead({ job, onOpen }: { job: Job; onOpen(id: number): void }) {
	return (
		<header className="border-b border-line pt-2 pb-3 ps-4 pe-2 sm:ps-6 sm:pe-3">
			<div className="flex items-center gap-1">
				<JobStatusMark status={job.status} pill />
				<span className="ms-1 me-auto font-mono text-xs text-muted max-[420px]:hidden">#{job.id}</span>
				<div className="ms-auto flex items-center gap-1">
					<CancelJobButton job={job} />
					<RunAgainButton job={job} />
					<Neighbours jobId={job.id} onOpen={onOpen} />
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
	if (!useCan("write") || !isEndedStatus(job.status)) return null;
	return (
		<Button onClick={() => openCreateForm({ like: job.id })}>
			<RotateCw aria-hidden className="size-4" />
			{texts.runAgain}
		</Button>
	);
}

function Neighbours({ jobId, onOpen }: { jobId: number; onOpen(id: number): void }) {
	const { previous, next } = useNeighbours(jobId);
	return (
		<>
			<Step Icon={ChevronUp} label={texts.previousJob} hint={texts.previousJobHint} to={previous} onOpen={onOpen} />
			<Step Icon={ChevronDown} label={texts.nextJob} hint={texts.nextJobHint} to={next} onOpen={onOpen} />
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
		look="quiet"
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
		if (await copyText(link)) toast.success(texts.linkCopied);
		else toast.error(texts.linkNotCopied(link));
	};
	return (
		<Button look="quiet" size="icon" aria-label={texts.copyLink} title={texts.copyLinkHint} onClick={() => void copy()}>
			<Link2 aria-hidden className="size-4" />
		</Button>
	);
}
