import type { Job } from "@tapedeck/contract/job.ts";
import type { JobStatus } from "@tapedeck/contract/job-status.ts";
import { clsx } from "clsx";
import {
	ArrowUpFromLine,
	Ban,
	CircleCheck,
	CircleDashed,
	CircleDot,
	Clock3,
	type LucideIcon,
	TriangleAlert,
} from "lucide-react";
import { OutcomeMark } from "#components/recordings/outcome-badge.tsx";
import { STATUS_LABELS } from "./job-labels.ts";

const LOOKS: Record<JobStatus, { Icon: LucideIcon; tone: string; soft: string }> = {
	queued: { Icon: Clock3, tone: "text-muted", soft: "bg-inset" },
	starting: { Icon: CircleDashed, tone: "text-accent", soft: "bg-accent-soft" },
	recording: { Icon: CircleDot, tone: "text-live", soft: "bg-soft-live" },
	uploading: { Icon: ArrowUpFromLine, tone: "text-accent", soft: "bg-accent-soft" },
	completed: { Icon: CircleCheck, tone: "text-ok", soft: "bg-soft-ok" },
	failed: { Icon: TriangleAlert, tone: "text-warn", soft: "bg-soft-warn" },
	cancelled: { Icon: Ban, tone: "text-muted", soft: "bg-inset" },
};

export function StatusIcon({ status, className }: { status: JobStatus; className?: string }) {
	const { Icon, tone } = LOOKS[status];
	return (
		<Icon aria-hidden className={clsx("size-4 shrink-0", tone, status === "recording" && "motion-pulse", className)} />
	);
}

interface MarkProps {
	status: JobStatus;
	pill?: boolean;
	/** It was cancelled and has not stopped yet; shown instead of the status. */
	cancelling?: boolean;
	className?: string;
}

/** Icon, name and colour of a status. */
export function JobStatusMark({ status, pill = false, cancelling = false, className }: MarkProps) {
	const { tone, soft } = LOOKS[status];
	return (
		<span
			className={clsx(
				"inline-flex items-center gap-1.5 align-middle whitespace-nowrap",
				pill ? clsx("rounded-full py-0.5 pe-2.5 ps-1.5 text-xs font-medium", soft, tone) : "text-sm",
				className,
			)}
		>
			<StatusIcon status={status} />
			{cancelling ? "Cancelling…" : STATUS_LABELS[status]}
		</span>
	);
}

/** The outcome of the job's test; until it is reported, the job's state. */
export const JobMark = ({ job, className, ...rest }: Omit<MarkProps, "status" | "pill"> & { job: Job }) =>
	job.outcome === null ? (
		<JobStatusMark status={job.status} className={className} {...rest} />
	) : (
		<OutcomeMark outcome={job.outcome} className={className} />
	);
