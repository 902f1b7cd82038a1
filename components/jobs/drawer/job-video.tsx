"use client";

import { useQuery } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { Clock3, VideoOff } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "#components/navigation/link.tsx";
import type { PlayerHandle } from "#components/recordings/player/recording-player.tsx";
import { VideoFrame } from "#components/recordings/player/video-frame.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { useNow } from "#components/ui/use-now.ts";
import { formatSpan } from "#lib/client/format.ts";
import { posterPath, recordingQuery, videoPath } from "#lib/client/recordings.ts";
import { runnersQuery } from "#lib/client/runners.ts";

export const loadPlayer = () =>
	import("#components/recordings/player/recording-player.tsx").then((module) => module.RecordingPlayer);

const loadFile = () => import("#components/recordings/file-view.tsx").then((module) => module.FileView);

/** The live view of a job, its video, or why there is neither (yet). */
export function JobVideo({ job, player }: { job: Job; player: PlayerHandle }) {
	if (job.recording !== null) return <Video job={job} recording={job.recording} player={player} />;
	switch (job.status) {
		case "queued":
			return <Waiting job={job} />;
		case "starting":
			return <Expected job={job}>Starting. Waiting for the first frame.</Expected>;
		case "recording":
		case "uploading":
			return <Expected job={job}>Recording. Waiting for the first upload.</Expected>;
		case "completed":
			return (
				<Frame icon={<VideoOff aria-hidden className="size-5" />}>
					The video was deleted. The job's history remains.
				</Frame>
			);
		case "failed":
		case "cancelled":
			return null;
	}
}

type JobRecording = NonNullable<Job["recording"]>;
type Size = Pick<JobRecording, "width" | "height">;

/** Begins with what the job says of its recording; the rest follows. */
function Video({ job, recording, player }: { job: Job; recording: JobRecording; player: PlayerHandle }) {
	const { data } = useQuery(recordingQuery(recording.id));
	const isVideo = recording.kind === "video";
	const RecordingPlayer = useEagerLazyModule(loadPlayer, isVideo && data !== null);
	if (data === null) {
		return (
			<Frame icon={<VideoOff aria-hidden className="size-5" />}>
				{isVideo ? "The video was deleted." : "The picture was deleted."}
			</Frame>
		);
	}
	if (!isVideo) {
		const file = data ?? recordingOf(job, recording);
		return <LazyContent load={loadFile} recording={file} path={videoPath(recording.id)} />;
	}
	if (RecordingPlayer === null) return <Poster recording={recording} />;
	return <RecordingPlayer recording={data ?? recordingOf(job, recording)} handle={player} />;
}

const recordingOf = (job: Job, recording: JobRecording): Recording => ({
	...recording,
	organizationId: job.organizationId,
	jobId: job.id,
	name: job.name,
	contentType: recording.kind === "image" ? "image/png" : "video/mp4",
	createdAt: job.startedAt ?? job.createdAt,
	pinned: job.pinned,
	labels: job.labels,
	outcome: job.outcome,
	keep: job.keep,
	runnerId: job.runnerId,
	keptUntil: null,
	videoUrl: videoPath(recording.id),
	posterUrl: posterPath(recording.id),
});

/** A box that is as tall as the player: the video, and the controls below it. */
const PlayerBox = ({ size, className, children }: { size: Size; className: string; children: ReactNode }) => (
	<div className={`w-full overflow-hidden rounded-lg border border-line ${className}`}>
		<VideoFrame recording={size}>{children}</VideoFrame>
		<div className="h-[118px] sm:h-[70px]" />
	</div>
);

const Poster = ({ recording }: { recording: JobRecording }) => (
	<PlayerBox size={recording} className="bg-surface">
		{/* biome-ignore lint/performance/noImgElement: it is served by the dashboard itself, in its own size */}
		<img src={posterPath(recording.id)} alt="" className="size-full object-contain" />
	</PlayerBox>
);

/** A placeholder for the video of a job, in the size of its display. */
function Expected({ job, icon, children }: { job: Job; icon?: ReactNode; children: ReactNode }) {
	const runner = useQuery(runnersQuery()).data?.find((one) => one.id === job.runnerId);
	const display = runner?.displays.find((one) => one.id === job.displayId);
	return (
		<PlayerBox size={display ?? { width: null, height: null }} className="bg-inset">
			<div className="absolute inset-0 flex flex-col items-center justify-center gap-2 bg-inset px-6 text-center text-sm text-muted">
				{icon}
				<p className="max-w-sm">{children}</p>
			</div>
		</PlayerBox>
	);
}

/** Time for which a job has been queued, and the reason. */
function Waiting({ job }: { job: Job }) {
	const runner = useQuery(runnersQuery()).data?.find((one) => one.id === job.runnerId);
	const now = useNow();
	const span = (since: string) => formatSpan(Math.max(0, now - Date.parse(since)) / 1000);
	return (
		<Expected job={job} icon={<Clock3 aria-hidden className="size-5" />}>
			<span className="tabular-nums">{`Queued for ${span(job.createdAt)}.`}</span>{" "}
			{runner?.state === "offline" ? (
				<>
					The runner{" "}
					<Link href="/runners" className="text-accent underline underline-offset-2">
						{runner.name}
					</Link>{" "}
					{runner.lastSeenAt === null ? "has never connected." : `has been offline for ${span(runner.lastSeenAt)}.`} The
					job starts when the runner reconnects.
				</>
			) : (
				"The runner will start it shortly."
			)}
		</Expected>
	);
}

const Frame = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
	<div className="flex flex-col items-center justify-center gap-2 rounded-lg border border-line bg-inset px-6 py-10 text-center text-sm text-muted">
		{icon}
		<p className="max-w-sm">{children}</p>
	</div>
);
