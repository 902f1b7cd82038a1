"use client";

import { useQuery } from "@tanstack/react-query";
import type { Job, JobEvent } from "@tapedeck/contract/job.ts";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "@tapedeck/contract/recording-kinds.ts";
import { clsx } from "clsx";
import {
	Ban,
	CircleCheck,
	CircleDot,
	CirclePause,
	CirclePlus,
	CircleSmall,
	CircleStop,
	Eye,
	EyeOff,
	HardDrive,
	HardDriveUpload,
	Loader,
	LockKeyhole,
	type LucideIcon,
	PlugZap,
	Radar,
	RotateCw,
	Scaling,
	Square,
	TriangleAlert,
	Unplug,
	Wifi,
	WifiOff,
} from "lucide-react";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { counted, formatExact, formatOffset } from "#lib/client/format.ts";
import { jobEventsQuery } from "#lib/client/jobs.ts";
import { pollsOf, type ReportedPoll } from "../job-ending.ts";

/** An event this much after the last frame still leads to it: the end is reported after the frame that it ends with. */
const SEEK_GRACE_SECONDS = 0.5;

interface Props {
	job: Job;
	heading?: "h2" | "h3";
	/** Events within the video become buttons that lead there. */
	seek?: {
		/** The video's length. */
		seconds: number;
		to(seconds: number): void;
	};
}

/** Events of the job, in order. Times are relative to its first frame; the exact time is on hover. */
export function JobTimeline({ job, heading: Heading = "h3", seek }: Props) {
	const events = useQuery(jobEventsQuery(job.id));
	const start = Date.parse(job.startedAt ?? job.createdAt);
	const seekTo = ({ at }: JobEvent) => {
		const seconds = (Date.parse(at) - start) / 1000;
		if (seek === undefined || job.startedAt === null) return null;
		return seconds >= 0 && seconds <= seek.seconds + SEEK_GRACE_SECONDS ? () => seek.to(seconds) : null;
	};
	return (
		<section aria-label="Events">
			<Heading className="mb-2 flex flex-wrap items-baseline gap-x-2 text-sm font-semibold">
				Events
				<span className="text-xs font-normal text-muted">
					{job.startedAt === null
						? "Times are relative to the job's creation."
						: "Times are relative to the first frame."}
				</span>
			</Heading>
			{events.isError ? <Notice tone="danger">Couldn't load events. {errorMessage(events.error)}</Notice> : null}
			{events.isPending ? (
				<div className="flex flex-col gap-3">
					<Skeleton className="h-3 w-2/3" />
					<Skeleton className="h-3 w-1/2" />
				</div>
			) : null}
			<ol className="flex flex-col">
				{events.data?.map((event, index, { length }) => (
					<Entry key={event.id} event={event} start={start} last={index === length - 1} onSeek={seekTo(event)} />
				))}
			</ol>
		</section>
	);
}

// Not by `:last-child`: such a rule makes the browser restyle every list that gets a new sibling.
function Entry(props: { event: JobEvent; start: number; last: boolean; onSeek: (() => void) | null }) {
	const { event, start, last, onSeek } = props;
	const { Icon, tone } = lookOf(event.type);
	const polls = pollsOf(event);
	return (
		<li className="relative flex gap-3 pb-3 text-sm">
			<span aria-hidden className="relative w-4 shrink-0">
				<Icon className={clsx("absolute top-0.5 start-0 size-4", tone)} />
				{last ? null : <span className="absolute top-5.5 -bottom-2.5 start-[7.5px] w-px bg-line" />}
			</span>
			<Moment at={event.at} start={start} accent={onSeek !== null} />
			<div className="min-w-0 flex-1">
				{onSeek === null ? (
					<p className="break-words">{event.message}</p>
				) : (
					<button
						type="button"
						title="Jump to this moment in the video"
						onClick={onSeek}
						className="-my-0.5 rounded-sm py-0.5 text-start break-words hover:underline"
					>
						{event.message}
					</button>
				)}
				{polls.length > 0 ? <Polls polls={polls} all={allPolls(event, polls)} start={start} /> : null}
			</div>
		</li>
	);
}

const Moment = ({ at, start, accent }: { at: string; start: number; accent?: boolean }) => (
	<time
		dateTime={at}
		title={formatExact(at)}
		className={clsx(
			"w-15 shrink-0 text-end text-xs leading-5 whitespace-nowrap tabular-nums",
			accent ? "text-accent" : "text-muted",
		)}
	>
		{formatOffset((Date.parse(at) - start) / 1000)}
	</time>
);

/** Number of polls: an event carries the first and the last ones, and their number. */
const allPolls = (event: JobEvent, polls: ReportedPoll[]): number =>
	typeof event.data.zeros === "number" ? Math.max(event.data.zeros, polls.length) : polls.length;

/** The polls behind an event, collapsed. */
const Polls = ({ polls, all, start }: { polls: ReportedPoll[]; all: number; start: number }) => (
	<details className="text-xs text-muted">
		<summary className="w-fit rounded-sm leading-6 hover:text-ink">
			{polls.length === all ? counted(all, "check", "checks") : `${polls.length} of ${counted(all, "check", "checks")}`}
		</summary>
		<ol className="mt-1 flex flex-col gap-0.5">
			{polls.map((poll) => (
				<li key={poll.at} className="flex gap-3 tabular-nums">
					<Moment at={poll.at} start={start} />
					<span className="min-w-0 break-words leading-5">
						{pollText(poll)}
						{" · "}
						{`${poll.tookMs} ms`}
					</span>
				</li>
			))}
		</ol>
	</details>
);

function pollText(poll: ReportedPoll): string {
	if (poll.active !== null) return counted(poll.active, "session", "sessions");
	if (poll.status !== null) return `refused with ${poll.status}`;
	return poll.why ?? poll.seen;
}

/** The icon and colour of each kind of event in a job's history. */
export interface EventLook {
	Icon: LucideIcon;
	tone: string;
}

const PLAIN: EventLook = { Icon: CircleSmall, tone: "text-muted" };

const LOOKS = new Map<string, EventLook>([
	["created", { Icon: CirclePlus, tone: "text-muted" }],
	["starting", { Icon: Loader, tone: "text-accent" }],
	["recording", { Icon: CircleDot, tone: "text-live" }],
	["cancel_requested", { Icon: CircleStop, tone: "text-danger" }],
	["stopped", { Icon: Square, tone: "text-ink" }],
	["completed", { Icon: CircleCheck, tone: "text-ok" }],
	["failed", { Icon: TriangleAlert, tone: "text-warn" }],
	["cancelled", { Icon: Ban, tone: "text-muted" }],
	["runner_lost", { Icon: Unplug, tone: "text-warn" }],
	["runner_returned", { Icon: PlugZap, tone: "text-ok" }],
	["grid_recognised", { Icon: Radar, tone: "text-muted" }],
	["grid_silent", { Icon: WifiOff, tone: "text-warn" }],
	["grid_reachable", { Icon: Wifi, tone: "text-ok" }],
	["grid_unauthorized", { Icon: LockKeyhole, tone: "text-warn" }],
	["display_resized", { Icon: Scaling, tone: "text-muted" }],
	["window_moved", { Icon: Scaling, tone: "text-muted" }],
	["frame_rate_lowered", { Icon: TriangleAlert, tone: "text-warn" }],
	["budget_exceeded", { Icon: TriangleAlert, tone: "text-warn" }],
	["privacy_requested", { Icon: EyeOff, tone: "text-muted" }],
	["privacy_end_requested", { Icon: Eye, tone: "text-muted" }],
	["privacy", { Icon: EyeOff, tone: "text-ink" }],
	["capture_stalled", { Icon: CirclePause, tone: "text-warn" }],
	["capture_resumed", { Icon: RotateCw, tone: "text-warn" }],
	[UPLOAD_WAITING, { Icon: HardDrive, tone: "text-warn" }],
	[UPLOAD_GOES_ON, { Icon: HardDriveUpload, tone: "text-ok" }],
]);

/** A kind that is not known here, from a newer server or runner, gets a plain mark. */
export const lookOf = (type: string): EventLook => LOOKS.get(type) ?? PLAIN;
