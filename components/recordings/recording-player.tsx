"use client";

import { useEffect, useRef, useState } from "react";
import type { Recording } from "#lib/contract/recording.ts";
import { LivePlayer } from "./live-player.tsx";
import { VideoPlayer } from "./video-player.tsx";

interface Props {
	recording: Recording;
	startSeconds?: number;
	/** Play at once, as after a click on "play". */
	autoPlay?: boolean;
	/** Called after the recording was deleted from here. */
	onDeleted?(): void;
}

/** The picture of a recording: live while bytes arrive, the whole video from the moment on that it is stored. */
export function RecordingPlayer({ recording, startSeconds = 0, autoPlay, onDeleted }: Props) {
	const live = recording.state === "live";
	const wasLive = useRef(live);
	const [justEnded, setJustEnded] = useState(false);
	useEffect(() => {
		if (wasLive.current && !live) setJustEnded(true);
		wasLive.current = live;
	}, [live]);

	if (live) return <LivePlayer recording={recording} />;
	return (
		<>
			<VideoPlayer
				recording={recording}
				startSeconds={startSeconds}
				autoPlay={autoPlay && !wasLive.current}
				onDeleted={onDeleted}
			/>
			<p role="status" className="sr-only">
				{justEnded ? "Stopped. The video is ready." : ""}
			</p>
		</>
	);
}
