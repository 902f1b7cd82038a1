"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import type { Position } from "#components/recordings/player/recording-player.tsx";
import { VerdictNotice } from "#components/recordings/verdict-notice.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useDeferredMount } from "#components/ui/use-deferred-mount.ts";
import { endingOf } from "#lib/client/job-ending.ts";
import { jobEventsQuery } from "#lib/client/jobs.ts";
import type { Job, JobEvent } from "#lib/contract/job.ts";
import { isEnded } from "#lib/contract/job-status.ts";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "#lib/contract/recording-kinds.ts";
import type { WaitsFor } from "#lib/contract/storage.ts";
import { failureTitle } from "../job-labels.ts";
import { endedText, failureObservation } from "./ending-text.ts";

const NO_EVENTS: JobEvent[] = [];

/** Why the job has ended, with what decided it, or why it goes no further. */
export function JobOutcome({ job, position }: { job: Job; position: Position }) {
	const events = useQuery({ ...jobEventsQuery(job.id), enabled: useDeferredMount() }).data ?? NO_EVENTS;
	const waits = pausedBy(job, events);
	return (
		<>
			{waits ? (
				<Notice tone="warn">
					<p className="font-medium">
						{waits === "quota"
							? "Upload paused: your organization is out of storage"
							: "Upload paused: the dashboard's disk is full"}
					</p>
					<p>Nothing is lost: the runner keeps the video and uploads it once there is space.</p>
				</Notice>
			) : null}
			{job.status === "failed" ? (
				<Failure job={job} events={events} position={position} />
			) : (
				<Ended job={job} events={events} waits={waits !== null} position={position} />
			)}
			<VerdictNotice verdict={job.recording?.verdict} />
		</>
	);
}

interface Outcome {
	job: Job;
	events: JobEvent[];
}

function Failure({ job, events, position }: Outcome & { position: Position }) {
	const observation = failureObservation(job, endingOf(job, events));
	return (
		<Notice tone="danger">
			<p className="font-medium">{failureTitle(job)}</p>
			{job.error ? <p>{job.error.message}</p> : null}
			{observation ? <p>{observation}</p> : null}
			{job.recording ? (
				<p>
					Everything captured until then is saved. <OpenVideo recordingId={job.recording.id} position={position} />
				</p>
			) : null}
		</Notice>
	);
}

function Ended({ job, events, waits, position }: Outcome & { waits: boolean; position: Position }) {
	const text = endedText(job, endingOf(job, events));
	const recording = job.status === "completed" ? job.recording : null;
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
					{recording !== null ? (
						<>
							{" · "}
							<OpenVideo recordingId={recording.id} position={position} />
						</>
					) : null}
				</p>
			</div>
		</div>
	);
}

/** Leads to the moment at which the video is in the drawer. */
function OpenVideo({ recordingId, position }: { recordingId: number; position: Position }) {
	const [seconds, setSeconds] = useState(0);
	// Just before the link is followed, or opened in another tab.
	const readPosition = () => setSeconds(Math.floor((position.current?.() ?? 0) * 1000) / 1000);
	return (
		<Link
			href={`/recordings/${recordingId}${seconds > 0 ? `?t=${seconds}` : ""}`}
			onPointerDown={readPosition}
			onKeyDown={readPosition}
			onFocus={readPosition}
			className="text-accent underline underline-offset-2"
		>
			Open the video
		</Link>
	);
}

/** What the paused upload waits for, by the job's events; null when it is not paused. */
function pausedBy(job: Job, events: readonly JobEvent[]): WaitsFor | null {
	const last = events.findLast(({ type }) => type === UPLOAD_WAITING || type === UPLOAD_GOES_ON);
	if (last?.type !== UPLOAD_WAITING || isEnded(job.status)) return null;
	return last.data.waitsFor === "quota" ? "quota" : "disk";
}
