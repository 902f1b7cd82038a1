"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useRef, useState } from "react";
import type { Position } from "#components/recordings/recording-player.tsx";
import { verdictWords } from "#components/recordings/verdict-words.ts";
import { Link } from "#components/navigation/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { useSettled } from "#components/ui/use-settled.ts";
import { endingOf } from "#lib/client/job-ending.ts";
import { isEndedStatus } from "#lib/client/job-filters.ts";
import { jobEventsQuery } from "#lib/client/jobs.ts";
import type { Job, JobEvent } from "#lib/contract/job.ts";
import type { WaitsFor } from "#lib/contract/storage.ts";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "#lib/contract/upload-events.ts";
import { endingTexts } from "#lib/texts/job-drawer.ts";
import { endedWords, failureObservation } from "../job-words.ts";
import { failureTitle } from "../row-words.ts";

const NO_EVENTS: JobEvent[] = [];

/** Why the job has ended, with what decided it, or why it goes no further. */
export function JobOutcome({ job, position }: { job: Job; position: Position }) {
	const events = useQuery({ ...jobEventsQuery(job.id), enabled: useSettled() }).data ?? NO_EVENTS;
	const waits = waitsForRoom(job, events);
	const verdict = verdictWords(job.recording?.verdict);
	return (
		<>
			{waits ? (
				<Notice tone="warn">
					<p className="font-medium">{endingTexts.waitsForRoom[waits]}</p>
					<p>{endingTexts.waitsForRoomMeaning}</p>
				</Notice>
			) : null}
			{job.status === "failed" ? (
				<Failure job={job} events={events} />
			) : (
				<Ended job={job} events={events} waits={waits !== null} position={position} />
			)}
			{verdict ? (
				<Notice tone="warn">
					<p className="font-medium">{verdict.title}</p>
					<p>{verdict.meaning}</p>
				</Notice>
			) : null}
		</>
	);
}

interface Told {
	job: Job;
	events: JobEvent[];
}

function Failure({ job, events }: Told) {
	const observation = failureObservation(job, endingOf(job, events));
	return (
		<Notice tone="danger">
			<p className="font-medium">{failureTitle(job)}</p>
			{job.error ? <p>{job.error.message}</p> : null}
			{observation ? <p>{observation}</p> : null}
			{job.recording ? <p>{endingTexts.keptAndPlays}</p> : null}
		</Notice>
	);
}

function Ended({ job, events, waits, position }: Told & { waits: boolean; position: Position }) {
	const words = endedWords(job, endingOf(job, events));
	const completed = job.status === "completed" && job.recording !== null;
	// Said only to those who saw it end: to others the video is just there.
	const sawItEnd = useRef(!isEndedStatus(job.status));
	if (words === null) return null;
	return (
		<div className="flex items-start gap-2 text-sm">
			<CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
			<div className="min-w-0 break-words">
				{completed && sawItEnd.current ? <p className="font-medium">{endingTexts.ready}</p> : null}
				<p>
					{words}
					{job.status === "uploading" && !waits ? <span className="text-muted"> {endingTexts.lastBytes}</span> : null}
					{job.stoppedAt ? (
						<span className="text-muted">
							{" · "}
							<TimeAgo at={job.stoppedAt} />
						</span>
					) : null}
					{completed ? (
						<>
							{" · "}
							<OpenVideo recordingId={job.recording?.id ?? 0} position={position} />
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
	// Just before it is followed, or opened elsewhere, by whatever means.
	const look = () => setSeconds(Math.floor((position.current?.() ?? 0) * 1000) / 1000);
	return (
		<Link
			href={`/recordings/${recordingId}${seconds > 0 ? `?t=${seconds}` : ""}`}
			onPointerDown={look}
			onKeyDown={look}
			onFocus={look}
			className="text-accent underline underline-offset-2"
		>
			{endingTexts.openVideo}
		</Link>
	);
}

/** Which room the job's bytes wait for, as its history says; null when they do not wait. */
function waitsForRoom(job: Job, events: readonly JobEvent[]): WaitsFor | null {
	const last = events.findLast(({ type }) => type === UPLOAD_WAITING || type === UPLOAD_GOES_ON);
	if (last?.type !== UPLOAD_WAITING || isEndedStatus(job.status)) return null;
	return last.data.waitsFor === "quota" ? "quota" : "disk";
}
