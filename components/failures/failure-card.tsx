"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Columns2, Film, Play, Trash2, TriangleAlert } from "lucide-react";
import { type MouseEvent, useState } from "react";
import { failureTitle } from "#components/jobs/job-labels.ts";
import { Link } from "#components/navigation/link.tsx";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { MarkerMessage } from "#components/recordings/marker-message.tsx";
import { OUTSIDE } from "#components/recordings/player/markers.tsx";
import { comparePath, requestPlay } from "#components/recordings/player/player-link.ts";
import { RecordingBadges } from "#components/recordings/recording-badges.tsx";
import { failureFramePath, lastChangeQuery } from "#components/recordings/storyboard.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { formatInstant } from "#lib/client/format.ts";
import type { Failure } from "#lib/contract/failure.ts";
import { type COMPLETED_REASONS, isFailedReason } from "#lib/contract/job-status.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { failurePath, secondsBefore } from "./failure-path.ts";

interface Props {
	failure: Failure;
	/** What the heading above says. */
	test: string;
	isNew: boolean;
}

/** One failure: its frame, what failed, why the recording stopped. The link covers the row but for its buttons. */
export function FailureCard({ failure, test, isNew }: Props) {
	const { recording, labels, name, failMarker } = failure;
	const outside = failMarker?.clampedTo == null ? null : OUTSIDE[failMarker.clampedTo];
	const details = [labels.branch, name === test ? undefined : name, outside, whyStopped(failure)].filter(Boolean);
	return (
		<li className="group relative flex scroll-my-4 flex-col gap-x-4 gap-y-2 px-3 py-3 hover:bg-hover has-[a[data-failure]:focus-visible]:outline-2 has-[a[data-failure]:focus-visible]:-outline-offset-2 has-[a[data-failure]:focus-visible]:outline-accent sm:flex-row md:px-4">
			<Frame recording={recording} seconds={failMarker?.offsetSeconds ?? null} />
			<div className="flex min-w-0 flex-1 flex-col items-start gap-1.5">
				<div className="flex flex-wrap items-center gap-1.5">
					{isNew ? (
						<span className="rounded-full bg-accent px-2 py-0.5 text-xs font-medium text-on-accent">New</span>
					) : null}
					{recording === null ? null : <RecordingBadges recording={recording} />}
					{failure.job?.status === "failed" ? <JobFailed /> : null}
					{failure.deletedRecording === null ? null : (
						<span className="inline-flex shrink-0 items-center gap-1 rounded-full bg-inset px-2 py-0.5 text-xs font-medium whitespace-nowrap text-muted">
							<Trash2 aria-hidden className="size-3" />
							Video deleted
						</span>
					)}
				</div>
				<FailureLink failure={failure} />
				{failMarker?.message == null ? null : (
					<MarkerMessage message={failMarker.message} label={failMarker.label} className="w-full" />
				)}
				<p className="text-xs break-words text-muted tabular-nums">
					{details.map((detail) => `${detail} · `).join("")}
					<TimeAgo at={failure.failedAt} />
				</p>
			</div>
			{recording === null || recording.state === "live" ? null : (
				<div className="relative self-start">
					<Link
						href={comparePath(recording.id, secondsBefore(failure))}
						className={buttonClass("secondary", "small")}
						aria-label={`Compare with last passed: ${name}`}
					>
						<Columns2 aria-hidden className="size-3.5" />
						Compare with last passed
					</Link>
				</div>
			)}
		</li>
	);
}

/** Leads to the video from shortly before the failure. Without a marker, the moment is fetched before it is needed. */
function FailureLink({ failure }: { failure: Failure }) {
	const { recording, failMarker } = failure;
	const goTo = useNavigate();
	const client = useQueryClient();
	const [isNear, setNear] = useState(false);
	const query = recording === null || failMarker !== null ? null : lastChangeQuery(recording);
	const lastChangeAt = useQuery({
		...lastChangeQuery(recording ?? { id: 0, state: "ready" }),
		enabled: query !== null && isNear,
	}).data;
	const isKnown = query === null || lastChangeAt !== undefined;
	const play = (event: MouseEvent) => {
		if (recording === null) return;
		requestPlay(recording.id);
		if (isKnown || event.metaKey || event.ctrlKey || event.shiftKey) return;
		event.preventDefault();
		void client
			.fetchQuery(lastChangeQuery(recording))
			.then(({ lastChangeAt }) => lastChangeAt)
			// The beginning is better than nothing.
			.catch(() => null)
			.then((at) => goTo(failurePath(failure, at)));
	};
	return (
		<Link
			href={failurePath(failure, lastChangeAt)}
			data-failure={failure.id}
			onPointerEnter={() => setNear(true)}
			onFocus={() => setNear(true)}
			onClick={play}
			className="line-clamp-3 text-sm break-words text-ink outline-none after:absolute after:inset-0"
		>
			{whatFailed(failure) ?? failure.name}
		</Link>
	);
}

const JobFailed = () => (
	<span className="inline-flex shrink-0 items-center gap-1 rounded-full bg-soft-warn px-2 py-0.5 text-xs font-medium whitespace-nowrap text-warn">
		<TriangleAlert aria-hidden className="size-3" />
		Job failed
	</span>
);

function Frame({ recording, seconds }: { recording: Recording | null; seconds: number | null }) {
	const [isMissing, setMissing] = useState(recording === null);
	return (
		<div
			className={clsx(
				"relative w-full shrink-0 overflow-hidden rounded-md border border-line bg-inset sm:aspect-video sm:w-60 sm:self-start",
				recording === null ? "h-10 sm:h-auto" : "aspect-video",
			)}
		>
			{isMissing || recording === null ? (
				<span className="grid size-full place-items-center text-muted">
					{recording === null ? (
						<span className="px-4 text-center text-xs">No video</span>
					) : (
						<Film aria-hidden className="size-6" />
					)}
				</span>
			) : (
				// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
				<img
					src={failureFramePath(recording.id)}
					alt=""
					loading="lazy"
					decoding="async"
					onError={() => setMissing(true)}
					className="size-full object-contain"
				/>
			)}
			{recording === null ? null : (
				<span className="absolute inset-0 grid place-items-center opacity-0 transition-opacity duration-100 group-hover:opacity-100 group-has-focus-visible:opacity-100">
					<span className="grid size-10 place-items-center rounded-full bg-black/65 text-white">
						<Play aria-hidden className="size-4 translate-x-px fill-current" />
					</span>
				</span>
			)}
			{seconds === null ? null : (
				<span className="absolute end-2 bottom-2 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
					{formatInstant(seconds)}
				</span>
			)}
		</div>
	);
}

/** Why the recording of a test that failed has stopped. */
const STOPPED: Record<(typeof COMPLETED_REASONS)[number], string> = {
	duration_elapsed: "Reached its duration",
	cancelled: "Stopped by a user or API key",
	selenium_idle: "Stopped: no Selenium sessions",
	runner_shutdown: "Stopped: the runner shut down",
	grid_unreachable: "Stopped: the grid was unreachable",
	duration_cap: "Reached its maximum length",
	session_ended: "Stopped: the session ended",
};

/** Null while it records, and for an upload. */
function whyStopped({ job }: Pick<Failure, "job">): string | null {
	if (job?.stopReason == null) return null;
	if (isFailedReason(job.stopReason)) return failureTitle(job);
	return STOPPED[job.stopReason];
}

/** What went wrong, in the words of whoever noticed; null if nobody said more than that it failed. */
function whatFailed({ failMarker, job }: Pick<Failure, "failMarker" | "job">): string | null {
	return failMarker?.label ?? job?.error?.message ?? null;
}
