"use client";

import { useQuery } from "@tanstack/react-query";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { JobOutcome } from "#components/jobs/drawer/job-outcome.tsx";
import { JobTimeline } from "#components/jobs/drawer/job-timeline.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { jobQuery } from "#lib/client/jobs.ts";

interface Props {
	jobId: number;
	recording: Recording;
	onSeek(seconds: number): void;
}

/** Why the recording has stopped, and the events of its job. */
export function RecordingHistory({ jobId, recording, onSeek }: Props) {
	const query = useQuery(jobQuery(jobId));
	const job = query.data;
	if (job === undefined) {
		return query.isError ? (
			<Notice tone="danger">{`Couldn't load the job of this recording. ${errorMessage(query.error)}`}</Notice>
		) : null;
	}
	const seconds = recording.state === "live" ? Number.POSITIVE_INFINITY : recording.durationSeconds;
	return (
		<>
			<JobOutcome job={job} player={null} />
			<JobTimeline job={job} heading="h2" seek={{ seconds, to: onSeek }} />
		</>
	);
}
