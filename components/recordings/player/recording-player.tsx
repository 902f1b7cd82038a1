"use client";

import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { type RefObject, useEffect, useRef, useState } from "react";
import { resultWord } from "#components/tests/result-icon.tsx";
import type { TimedMarker } from "#lib/client/markers.ts";
import type { Played } from "#lib/client/recordings.ts";
import { tracksPath } from "#lib/client/tracks.ts";
import { outcomeName } from "../outcome-badge.tsx";
import { trackTabs, useTracks } from "../tracks/track-tabs.tsx";
import { type Markers, nextMarkerSeconds, useMarkers } from "./markers.tsx";
import { PlayerControls } from "./player-controls.tsx";
import { usePlayerKeys } from "./player-keys.ts";
import { type PageTabs, PlayerPanel } from "./player-panel.tsx";
import { usePlayerSize } from "./player-size.ts";
import { PlayerStage } from "./player-stage.tsx";
import type { PlayerStore } from "./player-store.ts";
import { type Reported, useRecordingActions } from "./recording-actions.ts";
import { PlayerProvider, useAttached, usePlayer, usePlayerState } from "./use-player.tsx";

/** Access to a player for code outside of it. Null without a player. */
export type PlayerHandle = RefObject<Pick<PlayerStore, "currentSeconds" | "seek" | "loopBetween" | "video"> | null>;

interface Props {
	recording: Played;
	/** The start position in seconds. */
	startSeconds?: number;
	/** Starts playback at once, as after a click that requested it. */
	autoPlay?: boolean;
	/** The data to fetch before the video is played. */
	preload?: "none" | "metadata";
	handle?: PlayerHandle;
	/** Tabs that the page of a recording adds next to the video. */
	page?: PageTabs | null;
	/** The result that the page shows. If there is none, the first failure marker replaces it. */
	result?: TestResult;
	/** Called after the recording was deleted from here. */
	onDeleted?(): void;
}

/** A recording with its controls and markers: live while bytes arrive, the stored video once it is complete. */
export const RecordingPlayer = (props: Props) => (
	<PlayerProvider recording={props.recording} startSeconds={props.startSeconds ?? 0}>
		<Player {...props} />
	</PlayerProvider>
);

function Player(props: Props) {
	const { recording, startSeconds = 0, autoPlay = false, preload = "none", handle, page = null, onDeleted } = props;
	const player = usePlayer();
	const fullScreen = usePlayerState((state) => state.fullScreen);
	const box = useRef<HTMLDivElement>(null);
	/** The video with its controls, without the panel next to them. */
	const column = useRef<HTMLDivElement>(null);
	const video = useRef<HTMLVideoElement>(null);
	const still = useRef<HTMLCanvasElement>(null);
	useAttached(player, video, still);
	useHandle(player, handle);
	const markers = useMarkers(recording);
	const tracks = useTracks(recording);
	const reported = { ...reportedOf(recording, props.result, markers.all), tracks };
	const form = useMarkerForm(box, player, markers);
	const size = usePlayerSize(column);
	const actions = useRecordingActions({ recording, player, reported, onDeleted });
	usePlayerKeys(box, player, { ...form, copyReport: recording.shared ? undefined : actions.copyReport });
	useAutoPlay(player, autoPlay && recording.state !== "live");
	const justEnded = useJustEnded(recording);

	return (
		<div
			ref={box}
			className={clsx(
				"@container overflow-hidden bg-surface",
				fullScreen ? "fixed inset-0 z-50" : "rounded-lg border border-line",
			)}
		>
			<div className={clsx("flex flex-col", fullScreen ? "h-full" : "@min-[960px]:has-[[data-beside]]:flex-row")}>
				<div ref={column} className="flex min-h-0 min-w-0 flex-1 flex-col">
					<div className="relative min-h-0 flex-1 bg-black">
						<PlayerStage
							recording={recording}
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
							{justEnded
								? recording.jobId === null
									? "Upload complete."
									: "Recording stopped. The video is ready."
								: ""}
						</p>
					</div>
					<PlayerControls
						recording={recording}
						markers={markers.all}
						tracks={tracks}
						actions={actions}
						size={size}
						onAddMarker={markers.canEdit ? form.add : null}
					/>
				</div>
				<PlayerPanel
					markers={markers}
					form={form}
					tracks={trackTabs(tracksPath(recording), tracks, reported.failureSeconds)}
					page={page}
				/>
			</div>
		</div>
	);
}

/** The failure to report: that of the displayed result, otherwise that of the markers. */
function reportedOf(
	{ name, outcome }: Played,
	result: TestResult | undefined,
	markers: readonly TimedMarker[],
): Omit<Reported, "tracks"> {
	// While one result is displayed, failures of other tests are not marked.
	const failure = result === undefined ? markers.find(({ kind }) => kind === "fail") : undefined;
	return {
		title: result?.test ?? name,
		outcome: result !== undefined ? resultWord(result) : outcome === null ? null : outcomeName(outcome),
		message: result?.message ?? failure?.message ?? null,
		resultId: result?.id ?? null,
		isApproximate: result?.isApproximate ?? false,
		failureSeconds: result?.failureOffsetSeconds ?? failure?.seconds ?? null,
		ran: ranOf(result),
	};
}

/** The time span of a result. Null if its times are inexact. */
function ranOf(result: TestResult | undefined): Reported["ran"] {
	if (result === undefined || result.offsetSeconds === null || result.isApproximate) return null;
	const { offsetSeconds: from, durationSeconds } = result;
	return { from, to: durationSeconds === null ? null : from + durationSeconds };
}

/** The form for a marker at the position at which it was opened, and the jumps from marker to marker. */
function useMarkerForm(box: RefObject<HTMLElement | null>, player: PlayerStore, markers: Markers) {
	const [seconds, setSeconds] = useState<number | null>(null);
	/** The element that had the focus before, and gets it back. */
	const opener = useRef<Element | null>(null);
	const button = () => box.current?.querySelector('[aria-label="Add marker"], [aria-label="More"]');
	return {
		seconds,
		add: () => {
			if (!markers.canEdit) return;
			opener.current = document.activeElement;
			setSeconds(player.currentSeconds());
		},
		close: () => {
			setSeconds(null);
			const from = opener.current;
			const target =
				from?.isConnected && from !== document.body && from.closest("[role=menu]") === null ? from : button();
			if (target instanceof HTMLElement) target.focus();
		},
		jump: (direction: 1 | -1) => {
			const target = nextMarkerSeconds(markers.all, player.currentSeconds(), direction);
			if (target !== null) player.seek(target);
		},
	};
}

function useHandle(player: PlayerStore, handle: PlayerHandle | undefined): void {
	useEffect(() => {
		if (handle === undefined) return;
		handle.current = player;
		return () => {
			handle.current = null;
		};
	}, [handle, player]);
}

/** Whether the recording ended while this player was open, and the user has not played the video since. */
function useJustEnded({ state }: Played): boolean {
	const live = state === "live";
	const wasLive = useRef(live);
	const [justEnded, setJustEnded] = useState(false);
	useEffect(() => {
		if (wasLive.current !== live) setJustEnded(!live);
		wasLive.current = live;
	}, [live]);
	const moved = usePlayerState(({ playing, seconds }) => playing || seconds > 0);
	return justEnded && !(moved && !live);
}

function useAutoPlay(player: PlayerStore, wanted: boolean): void {
	const first = useRef(wanted);
	useEffect(() => {
		// A browser that refuses shows the first frame, and the button to play it.
		if (first.current) void player.video?.play().catch(() => undefined);
	}, [player]);
}
