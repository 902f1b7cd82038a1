"use client";

import { clsx } from "clsx";
import { ChevronFirst, ChevronLast, Pause, Play, RotateCcw, RotateCw, X } from "lucide-react";
import { formatInstant } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import type { Played } from "#lib/client/recordings.ts";
import { playerTexts as texts } from "#lib/texts/player.ts";
import { IconButton } from "./player/icon-button.tsx";
import { LiveStatus } from "./live-status.tsx";
import { PlayerClock, useStartedAt } from "./player-clock.tsx";
import { PlayerTools } from "./player-tools.tsx";
import { SeekBar } from "./seek-bar.tsx";
import type { Player } from "./use-player.ts";
import type { PlayerSize } from "./use-player-size.ts";
import type { RecordingActions } from "./use-recording-actions.ts";

export interface PlayerControlsProps {
	recording: Played;
	player: Player;
	markers: readonly TimedMarker[];
	actions: RecordingActions;
	size: PlayerSize;
	/** Null for those who may only look. */
	onAddMarker: (() => void) | null;
}

/** Bar, buttons and clock below a video. On a phone the clock has a line of its own. */
export function PlayerControls(props: PlayerControlsProps) {
	const { recording, player, markers, size } = props;
	const { seconds, durationSeconds } = player;
	const startedAt = useStartedAt(recording);
	const compact = size === "compact";
	const clock = (
		<PlayerClock seconds={seconds} durationSeconds={durationSeconds} startedAt={startedAt} wide={size !== "normal"} />
	);
	return (
		<section aria-label={texts.controls} className="flex shrink-0 flex-col bg-surface px-3 pb-2">
			<SeekBar recording={recording} player={player} markers={markers} startedAt={startedAt} />
			{compact ? (
				<div className="flex h-9 items-center justify-between gap-2">
					{clock}
					<LiveStatus player={player} />
				</div>
			) : null}
			<div className="flex items-center gap-1">
				<Transport player={player} compact={compact} />
				{compact ? null : clock}
				{compact ? null : <LoopChip player={player} />}
				<div className={clsx("flex items-center gap-1", compact ? "flex-[3]" : "ms-auto ps-1")}>
					{compact ? null : <LiveStatus player={player} />}
					<PlayerTools {...props} />
				</div>
			</div>
			{compact ? <LoopChip player={player} /> : null}
		</section>
	);
}

function Transport({ player, compact }: { player: Player; compact: boolean }) {
	const { playing } = player;
	return (
		<div className={clsx("flex items-center gap-0.5", compact && "flex-[3]")}>
			<IconButton
				label={playing ? texts.pause : texts.play}
				keys={texts.keys.play}
				shortcuts="Space K"
				large={compact}
				onClick={player.toggle}
			>
				{playing ? <Pause aria-hidden /> : <Play aria-hidden />}
			</IconButton>
			{compact ? null : (
				<>
					<IconButton label={texts.back} keys="J" onClick={() => player.skip(-10)}>
						<RotateCcw aria-hidden />
					</IconButton>
					<IconButton label={texts.forward} keys="L" onClick={() => player.skip(10)}>
						<RotateCw aria-hidden />
					</IconButton>
				</>
			)}
			<IconButton
				label={texts.previousFrame}
				keys={texts.keys.previousFrame}
				shortcuts=","
				large={compact}
				onClick={() => player.step(-1)}
			>
				<ChevronFirst aria-hidden />
			</IconButton>
			<IconButton
				label={texts.nextFrame}
				keys={texts.keys.nextFrame}
				shortcuts="."
				large={compact}
				onClick={() => player.step(1)}
			>
				<ChevronLast aria-hidden />
			</IconButton>
		</div>
	);
}

function LoopChip({ player }: { player: Player }) {
	const { loop, clearLoop } = player;
	if (loop === null) return null;
	const words = texts.loop(formatInstant(loop.start), loop.end === null ? null : formatInstant(loop.end));
	return (
		<span className="flex h-7 w-fit items-center gap-1 rounded-full bg-accent-soft ps-2.5 pe-1 text-xs whitespace-nowrap text-accent tabular-nums">
			{words}
			<button
				type="button"
				aria-label={texts.clearLoop}
				title={texts.withKeys(texts.clearLoop, "\\")}
				onClick={clearLoop}
				className="grid size-6 place-items-center rounded-full hover:bg-hover"
			>
				<X aria-hidden className="size-3.5" />
			</button>
		</span>
	);
}
