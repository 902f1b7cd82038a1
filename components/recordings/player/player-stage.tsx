"use client";

import { type ReactNode, type RefObject, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { mediaPath, type Played } from "#lib/client/recordings.ts";
import { privateWords } from "./private-words.ts";
import { usePlayer, usePlayerState } from "./use-player.tsx";
import { VideoFrame } from "./video-frame.tsx";

interface Props {
	recording: Played;
	video: RefObject<HTMLVideoElement | null>;
	still: RefObject<HTMLCanvasElement | null>;
	preload: "none" | "metadata" | "auto";
	/** Whether the video starts at its beginning, where the poster is. */
	withPoster: boolean;
	/** Called instead of playing or pausing this video alone. */
	onToggle?(): void;
}

/** The video, with its messages over it. */
export function PlayerStage({ recording, video, still, preload, withPoster, onToggle }: Props) {
	const { toggle, toggleFullScreen } = usePlayer();
	const fullScreen = usePlayerState((state) => state.fullScreen);
	// The size of the displayed frame: a recording of a display that was resized has frames of several sizes.
	const [size, setSize] = useState<{ width: number; height: number } | null>(null);
	return (
		<VideoFrame recording={size ?? recording} fill={fullScreen}>
			<video
				ref={video}
				poster={withPoster ? posterOf(recording) : undefined}
				// Shows through until the larger poster or the first frame has come: it is small, and often loaded already.
				style={withPoster ? { backgroundImage: `url("${mediaPath(recording)}/poster")` } : undefined}
				preload={preload}
				// Browsers start only silent videos without a gesture. Recordings of runners have no sound.
				muted={recording.jobId !== null}
				playsInline
				aria-label={recording.name}
				className="absolute inset-0 size-full bg-contain bg-center bg-no-repeat object-contain"
				onResize={({ currentTarget: { videoWidth: width, videoHeight: height } }) =>
					setSize(width === 0 ? null : { width, height })
				}
				onClick={onToggle ?? toggle}
				onDoubleClick={onToggle === undefined ? toggleFullScreen : undefined}
			/>
			<canvas
				ref={still}
				hidden
				aria-hidden
				className="pointer-events-none absolute inset-0 size-full object-contain"
			/>
			{recording.state === "live" && recording.jobId === null ? (
				<Cover>Still uploading. Playable when it finishes.</Cover>
			) : (
				<>
					<PrivateNote recording={recording} />
					<Condition />
				</>
			)}
		</VideoFrame>
	);
}

/** Explains a picture that is black because its job was private. */
function PrivateNote({ recording: { privacy = [] } }: { recording: Played }) {
	const words = usePlayerState(({ seconds }) => privateWords(privacy, seconds));
	if (words === null) return null;
	return (
		<span className="pointer-events-none absolute inset-0 m-auto h-fit w-fit rounded bg-white/15 px-2 py-1 text-sm text-white tabular-nums">
			{words}
		</span>
	);
}

/** A new address once the video is complete: the browser would repeat a poster that was missing before. */
const posterOf = (recording: Played): string =>
	`${mediaPath(recording)}/poster${recording.state === "live" ? "" : "?size=full"}`;

const LIVE_CONDITIONS = {
	waiting: "Waiting for the first frame…",
	reconnecting: "Live view disconnected. Reconnecting…",
	unsupported: "This browser can't show the live view. The video plays here once the recording ends.",
};

const PROBLEMS = {
	missing: "The video file is missing.",
	unreachable: "Connection lost. The video resumes once Tapedeck can be reached.",
	undecodable: "The video can't be played here. Try again, or download it.",
};

/** Why there is no moving video, if so. */
function Condition() {
	const { retry } = usePlayer();
	const liveStatus = usePlayerState(({ live }) => live?.status ?? "playing");
	const problem = usePlayerState((state) => state.problem);
	const waiting = usePlayerState((state) => state.waiting);
	if (liveStatus !== "playing") return <Cover>{LIVE_CONDITIONS[liveStatus]}</Cover>;
	if (problem !== null) {
		return (
			<Cover alert>
				<span>{PROBLEMS[problem]}</span>
				<Button size="small" onClick={retry}>
					Try again
				</Button>
			</Cover>
		);
	}
	if (!waiting) return null;
	return (
		<span
			aria-hidden
			className="late pointer-events-none absolute start-3 top-3 rounded bg-black/70 px-2 py-0.5 text-xs text-white"
		>
			Loading…
		</span>
	);
}

const Cover = ({ alert, children }: { alert?: boolean; children: ReactNode }) => (
	<div
		role={alert ? "alert" : undefined}
		className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-black/75 px-6 text-center text-sm text-white"
	>
		{children}
	</div>
);
