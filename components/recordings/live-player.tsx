"use client";

import { Maximize } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { formatDuration } from "#lib/client/format.ts";
import { type LiveFeedState, startLiveFeed } from "#lib/client/live-feed.ts";
import { livePath } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { VideoFrame } from "./video-frame.tsx";

const WORDS: Record<LiveFeedState, string> = {
	waiting: "Waiting for the first picture…",
	playing: "",
	reconnecting: "The picture broke off. Connecting again…",
	unsupported: "This browser cannot show the live picture. The video plays here as soon as the recording has ended.",
};

/** What is on the display now, less than a second behind. */
export function LivePlayer({ recording }: { recording: Recording }) {
	const video = useRef<HTMLVideoElement>(null);
	const [state, setState] = useState<LiveFeedState>("waiting");
	const [seconds, setSeconds] = useState(0);

	useEffect(() => {
		const element = video.current;
		if (element === null) return;
		return startLiveFeed(element, livePath(recording.id), setState);
	}, [recording.id]);

	return (
		<div className="overflow-hidden rounded-lg border border-line bg-surface">
			<div className="bg-black">
				<VideoFrame recording={recording}>
					<video
						ref={video}
						muted
						playsInline
						aria-label={recording.name}
						className="absolute inset-0 size-full object-contain"
						onTimeUpdate={(event) => setSeconds(event.currentTarget.currentTime)}
					/>
					{state === "playing" ? null : (
						<p className="absolute inset-0 grid place-items-center bg-black/60 px-6 text-center text-sm text-white">
							{WORDS[state]}
						</p>
					)}
				</VideoFrame>
			</div>
			<div className="flex items-center gap-2 px-3 py-2">
				<span className="flex items-center gap-1.5 rounded-full bg-soft-live px-2 py-0.5 text-xs font-semibold text-live">
					<span aria-hidden className="motion-pulse size-2 rounded-full bg-live" />
					Live
				</span>
				<span className="text-xs text-muted tabular-nums">{formatDuration(seconds)}</span>
				<Button
					look="quiet"
					size="icon"
					className="ms-auto"
					aria-label="Full screen"
					title="Full screen"
					onClick={() => void video.current?.requestFullscreen?.().catch(() => undefined)}
				>
					<Maximize aria-hidden className="size-4" />
				</Button>
			</div>
		</div>
	);
}
