"use client";

import type { Track } from "@tapedeck/contract/track.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { ChevronFirst, ChevronLast, Pause, Play, RotateCcw, RotateCw, X } from "lucide-react";
import { useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { Button } from "#components/ui/button.tsx";
import { formatSpan } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import { IconButton, titleWithKeys } from "./icon-button.tsx";
import { PlayerClock, useStartedAt } from "./player-clock.tsx";
import { PlayerTools, type PlayerToolsProps } from "./player-tools.tsx";
import { SeekBar } from "./seek-bar.tsx";
import { usePlayer, usePlayerState } from "./use-player.tsx";

interface Props extends PlayerToolsProps {
	markers: readonly TimedMarker[];
	tracks: readonly Track[];
}

/**
 * Seek bar, buttons and clock below a video. On a phone the clock has a line of its own; elsewhere the tools begin a second
 * line where one is too short for what there is, such as sound, hours, and how far a live player is behind.
 */
export function PlayerControls(props: Props) {
	const { recording, markers, tracks, size } = props;
	const startedAt = useStartedAt(recording);
	const compact = size === "compact";
	const clock = <PlayerClock startedAt={startedAt} wide={compact || size === "wide"} />;
	return (
		<section aria-label="Player controls" className="@container flex shrink-0 flex-col bg-surface px-3 pb-2">
			<SeekBar recording={recording} markers={markers} tracks={tracks} startedAt={startedAt} />
			{compact ? (
				<div className="flex h-9 items-center justify-between gap-2">
					{clock}
					<LiveStatus />
				</div>
			) : null}
			<div className={clsx("flex items-center gap-1", !compact && "flex-wrap")}>
				<Transport compact={compact} />
				{compact ? null : clock}
				<div className={clsx("flex items-center gap-1", compact ? "flex-[3]" : "ms-auto ps-1")}>
					{compact ? null : <LiveStatus />}
					<PlayerTools {...props} />
				</div>
			</div>
			<LoopChip />
		</section>
	);
}

function Transport({ compact }: { compact: boolean }) {
	const player = usePlayer();
	const playing = usePlayerState((state) => state.playing);
	return (
		<div className={clsx("flex items-center gap-0.5", compact && "flex-[3]")}>
			<IconButton
				label={playing ? "Pause" : "Play"}
				keys="Space or K"
				shortcuts="Space K"
				large={compact}
				onClick={player.toggle}
			>
				{playing ? <Pause aria-hidden /> : <Play aria-hidden />}
			</IconButton>
			{compact ? null : (
				<>
					<IconButton label="Back 10 seconds" keys="J" onClick={() => player.skip(-10)}>
						<RotateCcw aria-hidden />
					</IconButton>
					<IconButton label="Forward 10 seconds" keys="L" onClick={() => player.skip(10)}>
						<RotateCw aria-hidden />
					</IconButton>
				</>
			)}
			<IconButton label="Previous frame" keys="comma" shortcuts="," large={compact} onClick={() => player.step(-1)}>
				<ChevronFirst aria-hidden />
			</IconButton>
			<IconButton label="Next frame" keys="period" shortcuts="." large={compact} onClick={() => player.step(1)}>
				<ChevronLast aria-hidden />
			</IconButton>
		</div>
	);
}

/** Shows that the player is live, or how far behind it is with a button to return. */
function LiveStatus() {
	const { goToEnd } = usePlayer();
	const following = usePlayerState(({ live }) => live?.following);
	const behindSeconds = usePlayerState(({ durationSeconds, seconds }) =>
		Math.max(1, Math.round(durationSeconds - seconds)),
	);
	if (following === undefined) return null;
	if (following) {
		return (
			<span className="flex h-7 items-center gap-1.5 rounded-full bg-soft-live px-2.5 text-xs font-semibold text-live">
				<span aria-hidden className="motion-pulse size-2 rounded-full bg-live" />
				Live
			</span>
		);
	}
	return (
		<span className="flex items-center gap-2">
			<span className="text-xs whitespace-nowrap text-muted tabular-nums">{`${formatSpan(behindSeconds)} behind`}</span>
			<Button size="small" aria-keyshortcuts="End" title={titleWithKeys("Go live", "End")} onClick={goToEnd}>
				<span aria-hidden className="size-2 rounded-full border-2 border-live" />
				Go live
			</Button>
		</span>
	);
}

/** On a separate line, because next to a panel the buttons need the whole width. */
function LoopChip() {
	const { clearLoop } = usePlayer();
	const loop = usePlayerState((state) => state.loop);
	const singleKeys = useSingleKeys();
	if (loop === null) return null;
	const start = formatInstant(loop.start);
	return (
		<span className="flex h-7 w-fit items-center gap-1 rounded-full bg-accent-soft ps-2.5 pe-1 text-xs whitespace-nowrap text-accent tabular-nums">
			{loop.end === null ? `Loop from ${start}…` : `Loop ${start} – ${formatInstant(loop.end)}`}
			<button
				type="button"
				aria-label="Clear the loop"
				title={singleKeys ? titleWithKeys("Clear the loop", "\\") : "Clear the loop"}
				onClick={clearLoop}
				className="grid size-6 place-items-center rounded-full hover:bg-hover"
			>
				<X aria-hidden className="size-3.5" />
			</button>
		</span>
	);
}
