"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { markersQuery, type TimedMarker } from "#lib/client/markers.ts";
import { posterPath, videoPath } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { MarkerList } from "./marker-list.tsx";
import { PlayerControls } from "./player-controls.tsx";
import { RecordingActions } from "./recording-actions.tsx";
import { usePlayer } from "./use-player.ts";
import { usePlayerKeys } from "./use-player-keys.ts";
import { VideoFrame } from "./video-frame.tsx";

interface Props {
	recording: Recording;
	/** Where to start, in seconds. */
	startSeconds?: number;
	autoPlay?: boolean;
	onDeleted?(): void;
}

/** A stored recording with its controls. Keys work wherever on the page one is, except while typing. */
export function VideoPlayer({ recording, startSeconds = 0, autoPlay = false, onDeleted }: Props) {
	const video = useRef<HTMLVideoElement>(null);
	const box = useRef<HTMLDivElement>(null);
	const player = usePlayer(video, recording.durationSeconds);
	usePlayerKeys(box, player);
	const markers = useMarkers(recording.id);
	const [broken, setBroken] = useState(false);

	useEffect(() => {
		const element = video.current;
		if (element === null || startSeconds === 0) return;
		const seek = () => {
			element.currentTime = startSeconds;
		};
		if (element.readyState >= HTMLMediaElement.HAVE_METADATA) seek();
		else element.addEventListener("loadedmetadata", seek, { once: true });
		return () => element.removeEventListener("loadedmetadata", seek);
	}, [startSeconds]);

	useEffect(() => {
		// A browser that refuses shows the first picture, and the button to play it.
		if (autoPlay) void video.current?.play().catch(() => undefined);
	}, [autoPlay]);

	return (
		<div ref={box} className="overflow-hidden rounded-lg border border-line bg-surface">
			<div className="bg-black">
				<VideoFrame recording={recording}>
					{/* biome-ignore lint/a11y/useMediaCaption: a recording of a screen, without sound */}
					<video
						ref={video}
						src={videoPath(recording.id)}
						poster={startSeconds === 0 ? posterPath(recording.id) : undefined}
						preload="metadata"
						playsInline
						aria-label={recording.name}
						className="absolute inset-0 size-full object-contain"
						onClick={player.toggle}
						onError={() => setBroken(true)}
						onLoadedMetadata={() => setBroken(false)}
					/>
					{broken ? (
						<p
							role="alert"
							className="absolute inset-0 grid place-items-center bg-black/80 px-6 text-center text-sm text-white"
						>
							The video cannot be played here. Reload the page; if that does not help, download it.
						</p>
					) : null}
				</VideoFrame>
			</div>
			<PlayerControls recording={recording} player={player} markers={markers}>
				<RecordingActions recording={recording} currentSeconds={player.currentSeconds} onDeleted={onDeleted} />
			</PlayerControls>
			{markers.length > 0 ? <MarkerList markers={markers} seconds={player.seconds} onSeek={player.seek} /> : null}
		</div>
	);
}

const NONE: readonly TimedMarker[] = [];

/** The chapters of a video. */
function useMarkers(recordingId: number): readonly TimedMarker[] {
	return useQuery(markersQuery(recordingId)).data ?? NONE;
}
