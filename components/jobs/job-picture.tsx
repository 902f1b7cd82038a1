"use client";

import { useQuery } from "@tanstack/react-query";
import { Clock3, VideoOff } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { formatSpan } from "#lib/client/format.ts";
import { useRecording } from "#lib/client/recordings.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import type { Job } from "#lib/contract/job.ts";

const RecordingPlayer = lazy(() =>
	import("#components/recordings/recording-player.tsx").then((module) => ({ default: module.RecordingPlayer })),
);

/** What there is to see of a job: the live picture, the video, or why there is neither (yet). */
export function JobPicture({ job }: { job: Job }) {
	if (job.recording !== null) return <Video recording={job.recording} />;
	switch (job.status) {
		case "queued":
			return <Waiting job={job} />;
		case "starting":
			return <Frame>Starting. The first picture is about to come.</Frame>;
		case "recording":
		case "uploading":
			return <Frame>Recording. The first bytes are on their way.</Frame>;
		case "completed":
			return (
				<Frame icon={<VideoOff aria-hidden className="size-5" />}>
					The video was deleted. The job’s history is still here.
				</Frame>
			);
		case "failed":
		case "cancelled":
			return null;
	}
}

function Video({ recording }: { recording: NonNullable<Job["recording"]> }) {
	const { data } = useRecording(recording.id);
	const ratio = `${recording.width ?? 16} / ${recording.height ?? 9}`;
	const skeleton = (
		// As tall as what comes: the picture, and the player's controls or the live picture's line below it.
		<div className="w-full overflow-hidden rounded-lg border border-line">
			<div style={{ aspectRatio: ratio }}>
				<Skeleton className="size-full" />
			</div>
			<div className={recording.state === "live" ? "h-12" : "h-[104px] sm:h-[68px]"} />
		</div>
	);
	if (data === undefined) return skeleton;
	if (data === null) {
		return <Frame icon={<VideoOff aria-hidden className="size-5" />}>The video was deleted.</Frame>;
	}
	return (
		<Suspense fallback={skeleton}>
			<RecordingPlayer recording={data} />
		</Suspense>
	);
}

/** Since when a queued job waits, and for what. */
function Waiting({ job }: { job: Job }) {
	const runner = useQuery(runnersQuery()).data?.find((one) => one.id === job.runnerId);
	const now = useNow();
	const span = (since: string) => formatSpan(Math.max(0, now - Date.parse(since)) / 1000);
	const offline = runner?.state === "offline";
	return (
		<Frame icon={<Clock3 aria-hidden className="size-5" />}>
			<span className="tabular-nums">Waiting for {span(job.createdAt)}.</span>{" "}
			{offline ? (
				<>
					The runner{" "}
					<Link href="/runners" className="text-accent underline underline-offset-2">
						{runner.name}
					</Link>{" "}
					{runner.lastSeenAt === null ? "has never connected" : `has been offline for ${span(runner.lastSeenAt)}`}. The
					job starts when it comes back.
				</>
			) : (
				"The runner takes it in a moment."
			)}
		</Frame>
	);
}

const Frame = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
	<div className="flex flex-col items-center justify-center gap-2 rounded-lg border border-line bg-inset px-6 py-10 text-center text-sm text-muted">
		{icon}
		<p className="max-w-sm">{children}</p>
	</div>
);
