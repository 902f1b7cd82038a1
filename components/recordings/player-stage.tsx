"use client";

import type { ReactNode, RefObject } from "react";
import { Button } from "#components/ui/button.tsx";
import { mediaPath, type Played } from "#lib/client/recordings.ts";
import { playerTexts as texts } from "#lib/texts/player.ts";
import type { Player } from "./use-player.ts";
import { VideoFrame } from "./player/video-frame.tsx";

interface Props {
	recording: Played;
	player: Player;
	video: RefObject<HTMLVideoElement | null>;
	still: RefObject<HTMLCanvasElement | null>;
	preload: "none" | "metadata";
	/** Whether the poster stands where the video begins. */
	withPoster: boolean;
}

/** The picture, and over it what there is to say about it. */
export function PlayerStage({ recording, player, video, still, preload, withPoster }: Props) {
	return (
		<VideoFrame recording={recording} fill={player.fullScreen}>
			<video
				ref={video}
				poster={withPoster ? posterOf(recording) : undefined}
				preload={preload}
				// Without a gesture of the person, browsers start silent videos only; what runners record has no sound.
				muted={recording.jobId !== null}
				playsInline
				aria-label={recording.name}
				className="absolute inset-0 size-full object-contain"
				onClick={player.toggle}
				onDoubleClick={player.toggleFullScreen}
			/>
			<canvas
				ref={still}
				hidden
				aria-hidden
				className="pointer-events-none absolute inset-0 size-full object-contain"
			/>
			{recording.state === "live" && recording.jobId === null ? (
				<Veil>{texts.arriving}</Veil>
			) : (
				<Over player={player} />
			)}
		</VideoFrame>
	);
}

/** Another address once the video is whole: what was asked for while there was no picture yet is asked for anew. */
const posterOf = (recording: Played): string =>
	`${mediaPath(recording)}/poster${recording.state === "live" ? "" : "?size=full"}`;

const LIVE_WORDS = { waiting: texts.waiting, reconnecting: texts.reconnecting, unsupported: texts.unsupported };

function Over({ player }: { player: Player }) {
	const { live, problem, waiting } = player;
	if (live !== null && live.picture !== "playing") return <Veil>{LIVE_WORDS[live.picture]}</Veil>;
	if (problem !== null) {
		return (
			<Veil alert>
				<span>{texts[problem]}</span>
				<Button size="small" onClick={player.retry}>
					{texts.tryAgain}
				</Button>
			</Veil>
		);
	}
	if (!waiting) return null;
	return (
		<span
			aria-hidden
			className="late pointer-events-none absolute start-3 top-3 rounded bg-black/70 px-2 py-0.5 text-xs text-white"
		>
			{texts.loading}
		</span>
	);
}

const Veil = ({ alert, children }: { alert?: boolean; children: ReactNode }) => (
	<div
		role={alert ? "alert" : undefined}
		className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-black/75 px-6 text-center text-sm text-white"
	>
		{children}
	</div>
);
