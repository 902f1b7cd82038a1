"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { useNow } from "#components/ui/use-now.ts";

/** Counts while the job records; afterwards the length of its video. */
export function JobDuration({ job }: { job: Job }) {
	if (job.startedAt === null) return <span className="text-muted">–</span>;
	if (job.status === "recording") return <Counting since={job.startedAt} />;
	const seconds =
		job.recording !== null && job.recording.state !== "live" && job.recording.durationSeconds > 0
			? job.recording.durationSeconds
			: job.stoppedAt === null
				? null
				: (Date.parse(job.stoppedAt) - Date.parse(job.startedAt)) / 1000;
	return seconds === null ? <span className="text-muted">–</span> : formatDuration(seconds);
}

function Counting({ since }: { since: string }) {
	const now = useNow();
	return formatDuration((now - Date.parse(since)) / 1000);
}
