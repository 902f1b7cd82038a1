"use client";

import { useQuery } from "@tanstack/react-query";
import type { Job, JobEvent } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "@tapedeck/contract/recording-kinds.ts";
import type { WaitsFor } from "@tapedeck/contract/storage.ts";
import { CircleCheck } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { pathAt, startSecondsOf } from "#components/recordings/player/player-link.ts";
import type { PlayerHandle } from "#components/recordings/player/recording-player.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useDeferredMount } from "#components/ui/use-deferred-mount.ts";
import { jobEventsQuery } from "#lib/client/jobs.ts";
import { endingOf } from "../job-ending.ts";
import { failureTitle } from "../job-labels.ts";
import { endedText, failureObservation } from "./ending-text.ts";

const NO_EVENTS: JobEvent[] = [];

const PAUSE_REASONS: Record<WaitsFor, string> = {
	disk: "the dashboard's disk is full",
	quota: "your organization is out of storage",
	bucket: "the dashboard's object storage is full or refuses the video",
};

/**
 * Why the job has ended, with what decided it, or why it goes no further.
 * @param props.player beside which this stands, for the link to the video; null where the video itself is shown
 */
export function JobOutcome({ job, player }: { job: Job; player: PlayerHandle | null }) {
	const events = useQuery({ ...jobEventsQuery(job.id), enabled: useDeferredMount() }).data ?? NO_EVENTS;
	const waits = pausedBy(job, events);
	return (
		<>
			{waits ? (
				<Notice tone="warn">
					<p className="font-medium">Upload paused: {PAUSE_REASONS[waits]}</p>
					<p>Nothing is lost: the runner keeps the video and uploads it once it can be stored.</p>
				</Notice>
			) : null}
			{job.status === "failed" ? (
				<Failure job={job} events={events} player={player} />
			) : (
				<Ended job={job} events={events} waits={waits !== null} player={player} />
			)}
		</>
	);
}

interface Outcome {
	job: Job;
	events: JobEvent[];
	player: PlayerHandle | null;
}

function Failure({ job, events, player }: Outcome) {
	const observation = failureObservation(job, endingOf(job, events));
	return (
		<Notice tone="danger">
			<p className="font-medium">{failureTitle(job)}</p>
			{job.error ? <p>{job.error.message}</p> : null}
			{observation ? <p>{observation}</p> : null}
			{job.recording ? (
				<p>
					Everything recorded until then is saved.{" "}
					{player === null ? null : <OpenVideo recordingId={job.recording.id} player={player} />}
				</p>
			) : null}
		</Notice>
	);
}

function Ended({ job, events, waits, player }: Outcome & { waits: boolean }) {
	const text = endedText(job, endingOf(job, events));
	const recording = job.status === "completed" && player !== null ? job.recording : null;
	// Only for those who had the drawer open when the job ended.
	const sawItEnd = useRef(!isEnded(job.status));
	if (text === null) return null;
	return (
		<div className="flex items-start gap-2 text-sm">
			<CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
			<div className="min-w-0 break-words">
				{recording !== null && sawItEnd.current ? <p className="font-medium">Stopped. The video is ready.</p> : null}
				<p>
					{text}
					{job.status === "uploading" && !waits ? (
						<span className="text-muted"> Uploading the rest of the video.</span>
					) : null}
					{job.stoppedAt ? (
						<span className="text-muted">
							{" · "}
							<TimeAgo at={job.stoppedAt} />
						</span>
					) : null}
					{recording !== null && player !== null ? (
						<>
							{" · "}
							<OpenVideo recordingId={recording.id} player={player} />
						</>
					) : null}
				</p>
			</div>
		</div>
	);
}

/** Leads to the moment at which the video is in the drawer; before it was played, to the moment in the address. */
function OpenVideo({ recordingId, player }: { recordingId: number; player: PlayerHandle }) {
	const [seconds, setSeconds] = useState(0);
	// Just before the link is followed, or opened in another tab.
	const readPosition = () => setSeconds(player.current?.currentSeconds() || secondsInAddress());
	return (
		<Link
			href={pathAt(`/recordings/${recordingId}`, seconds)}
			onPointerDown={readPosition}
			onKeyDown={readPosition}
			onFocus={readPosition}
			className="text-accent underline underline-offset-2"
		>
			Open the video
		</Link>
	);
}

const secondsInAddress = (): number => startSecondsOf(new URLSearchParams(location.search).get("t") ?? undefined);

/** The condition that a paused upload is waiting for, from the job's events; null if it is not paused. */
function pausedBy(job: Job, events: readonly JobEvent[]): WaitsFor | null {
	const last = events.findLast(({ type }) => type === UPLOAD_WAITING || type === UPLOAD_GOES_ON);
	if (last?.type !== UPLOAD_WAITING || isEnded(job.status)) return null;
	const { waitsFor } = last.data;
	return waitsFor === "quota" || waitsFor === "bucket" ? waitsFor : "disk";
}
