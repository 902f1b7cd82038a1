"use client";

import { clsx } from "clsx";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Played } from "#lib/client/recordings.ts";
import { playerTexts as texts } from "#lib/texts/player.ts";
import { MarkerForm } from "./marker-form.tsx";
import { MarkerList } from "./marker-list.tsx";
import { PlayerControls } from "./player-controls.tsx";
import { PlayerStage } from "./player-stage.tsx";
import { type Markers, nextMarkerSeconds, useMarkers } from "./use-markers.ts";
import { type Player, usePlayer } from "./use-player.ts";
import { usePlayerKeys } from "./player/player-keys.ts";
import { usePlayerSize } from "./use-player-size.ts";
import { useRecordingActions } from "./use-recording-actions.ts";

/** How to learn at which second a player is; null without one. */
export type Position = RefObject<(() => number) | null>;

interface Props {
	recording: Played;
	/** Where to start, in seconds. */
	startSeconds?: number;
	/** Play at once, as after a click on "play". */
	autoPlay?: boolean;
	/** What of the video is fetched before somebody plays it. */
	preload?: "none" | "metadata";
	/** Told where the video is, for links that lead elsewhere with it. */
	position?: Position;
	/** Called after the recording was deleted from here. */
	onDeleted?(): void;
}

/** A recording with its controls and markers: live while bytes arrive, the whole video from the moment it is stored. */
export function RecordingPlayer(props: Props) {
	const { recording, startSeconds = 0, autoPlay = false, preload = "none", position, onDeleted } = props;
	const box = useRef<HTMLDivElement>(null);
	const video = useRef<HTMLVideoElement>(null);
	const still = useRef<HTMLCanvasElement>(null);
	const player = usePlayer(video, still, recording, startSeconds);
	usePosition(player, position);
	const markers = useMarkers(recording);
	const form = useMarkerForm(player, markers);
	const size = usePlayerSize(box);
	const actions = useRecordingActions(recording, video, onDeleted);
	usePlayerKeys(box, player, form);
	useAutoPlay(video, autoPlay && recording.state !== "live");
	const justEnded = useJustEnded(recording, player);

	return (
		<div
			ref={box}
			className={clsx(
				"@container overflow-hidden bg-surface",
				player.fullScreen ? "fixed inset-0 z-50" : "rounded-lg border border-line",
			)}
		>
			<div className={clsx("flex flex-col", player.fullScreen ? "h-full" : "@min-[1100px]:flex-row")}>
				<div className="flex min-h-0 min-w-0 flex-1 flex-col">
					<div className="relative min-h-0 flex-1 bg-black">
						<PlayerStage
							recording={recording}
							player={player}
							video={video}
							still={still}
							preload={preload}
							withPoster={startSeconds === 0}
						/>
						<p
							role="status"
							className={
								justEnded
									? "pointer-events-none absolute inset-x-0 bottom-4 mx-auto w-fit rounded-full bg-black/80 px-3 py-1 text-sm text-white"
									: "sr-only"
							}
						>
							{justEnded ? (recording.jobId === null ? texts.arrived : texts.stopped) : ""}
						</p>
					</div>
					<PlayerControls
						recording={recording}
						player={player}
						markers={markers.all}
						actions={actions}
						size={size}
						onAddMarker={markers.mayChange ? form.add : null}
					/>
				</div>
				<MarkerPanel player={player} markers={markers} form={form} />
			</div>
		</div>
	);
}

/** Beside the video where there is room, else below it. In full screen the picture has the room; the form alone comes. */
function MarkerPanel({ player, markers, form }: { player: Player; markers: Markers; form: MarkerFormState }) {
	if (form.seconds === null && (markers.all.length === 0 || player.fullScreen)) return null;
	return (
		<div
			className={clsx(
				"flex shrink-0 flex-col border-line border-t",
				!player.fullScreen &&
					"max-h-72 @min-[1100px]:relative @min-[1100px]:max-h-none @min-[1100px]:w-76 @min-[1100px]:border-s @min-[1100px]:border-t-0",
			)}
		>
			<div className="flex min-h-0 flex-col @min-[1100px]:absolute @min-[1100px]:inset-0">
				{form.seconds === null ? null : <MarkerForm seconds={form.seconds} onAdd={markers.add} onClose={form.close} />}
				{player.fullScreen ? null : <MarkerList markers={markers} seconds={player.seconds} onSeek={player.seek} />}
			</div>
		</div>
	);
}

type MarkerFormState = ReturnType<typeof useMarkerForm>;

/** The form for a marker at the moment at which it was asked for; and the way from marker to marker. */
function useMarkerForm(player: Player, markers: Markers) {
	const [seconds, setSeconds] = useState<number | null>(null);
	return {
		seconds,
		add: () => {
			if (markers.mayChange) setSeconds(player.currentSeconds());
		},
		close: () => setSeconds(null),
		jump: (direction: 1 | -1) => {
			const target = nextMarkerSeconds(markers.all, player.currentSeconds(), direction);
			if (target !== null) player.seek(target);
		},
	};
}

function usePosition({ currentSeconds }: Player, position: Position | undefined): void {
	useEffect(() => {
		if (position === undefined) return;
		position.current = currentSeconds;
		return () => {
			position.current = null;
		};
	}, [position, currentSeconds]);
}

/** Whether the recording ended while it was looked at, and nobody has played the video since. */
function useJustEnded(recording: Played, player: Player): boolean {
	const live = recording.state === "live";
	const wasLive = useRef(live);
	const [justEnded, setJustEnded] = useState(false);
	useEffect(() => {
		if (wasLive.current !== live) setJustEnded(!live);
		wasLive.current = live;
	}, [live]);
	const moved = !live && (player.playing || player.seconds > 0);
	return justEnded && !moved;
}

function useAutoPlay(video: { readonly current: HTMLVideoElement | null }, wanted: boolean): void {
	const first = useRef(wanted);
	useEffect(() => {
		// A browser that refuses shows the first picture, and the button to play it.
		if (first.current) void video.current?.play().catch(() => undefined);
	}, [video]);
}
