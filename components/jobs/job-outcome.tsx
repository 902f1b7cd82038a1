"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { verdictWords } from "#components/recordings/verdict-words.ts";
import { Notice } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { jobEventsQuery } from "#lib/client/jobs.ts";
import { isEnded, type Job } from "#lib/contract/job.ts";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "#lib/contract/storage.ts";
import { endedWords, failureTitle } from "./job-words.ts";

/** Why the job has ended, or why it goes no further. */
export function JobOutcome({ job }: { job: Job }) {
	const words = endedWords(job);
	const verdict = verdictWords(job.recording?.verdict);
	const waits = useWaitsForRoom(job);
	return (
		<>
			{waits ? (
				<Notice tone="warn">
					<p className="font-medium">The upload waits for room on the dashboard’s disk</p>
					<p>
						Nothing is lost: the runner keeps the video and sends it when there is room. Nobody has to start it again.
					</p>
				</Notice>
			) : null}
			{job.status === "failed" ? (
				<Notice tone="danger">
					<p className="font-medium">{failureTitle(job)}</p>
					{job.error ? <p>{job.error.message}</p> : null}
					{job.recording ? <p>What was captured until then is kept and plays.</p> : null}
				</Notice>
			) : null}
			{words === null || job.status === "failed" ? null : (
				<p className="flex items-start gap-2 text-sm">
					<CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
					<span>
						{words}
						{job.status === "uploading" && !waits ? (
							<span className="text-muted"> The last bytes are on their way.</span>
						) : null}
						{job.recording && job.status === "completed" ? (
							<>
								{" "}
								<Link href={`/recordings/${job.recording.id}`} className="text-accent underline underline-offset-2">
									Open the video
								</Link>
							</>
						) : null}
						{job.stoppedAt ? (
							<span className="text-muted">
								{" "}
								· <TimeAgo at={job.stoppedAt} />
							</span>
						) : null}
					</span>
				</p>
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

/** Whether the job's bytes wait for room on the dashboard's disk, as its history says. */
function useWaitsForRoom(job: Job): boolean {
	const events = useQuery(jobEventsQuery(job.id)).data;
	const last = events?.findLast(({ type }) => type === UPLOAD_WAITING || type === UPLOAD_GOES_ON);
	return last?.type === UPLOAD_WAITING && !isEnded(job.status);
}
