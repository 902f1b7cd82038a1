import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { Notice } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { Job } from "#lib/contract/job.ts";
import { endedWords, failureTitle } from "./job-words.ts";

const VERDICTS: Record<string, string> = {
	black: "The picture is black throughout. Check that something is shown on this display.",
	frozen: "The picture never changes. Check that what was to be recorded did run.",
};

/** Why the job has ended, or why it goes no further. */
export function JobOutcome({ job }: { job: Job }) {
	const words = endedWords(job);
	const verdict = job.recording?.verdict ? VERDICTS[job.recording.verdict] : undefined;
	return (
		<>
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
						{job.status === "uploading" ? <span className="text-muted"> The last bytes are on their way.</span> : null}
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
			{verdict ? <Notice tone="warn">{verdict}</Notice> : null}
		</>
	);
}
