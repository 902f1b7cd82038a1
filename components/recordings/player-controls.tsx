"use client";

import { ChevronFirst, ChevronLast, Maximize, Pause, Play, RotateCcw, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { formatDuration, formatInstant } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { SeekBar } from "./seek-bar.tsx";
import { type Player, SPEEDS } from "./use-player.ts";

/** Buttons, scrub bar and speed below a video. `children`: what else can be done with it. */
export function PlayerControls({
	recording,
	player,
	markers = [],
	children,
}: {
	recording: Recording;
	player: Player;
	markers?: readonly TimedMarker[];
	children?: ReactNode;
}) {
	const { playing, seconds, durationSeconds, speed } = player;
	return (
		<section aria-label="Player controls" className="flex flex-col gap-1 px-3 pt-2 pb-2">
			<SeekBar recording={recording} player={player} markers={markers} />
			<div className="flex flex-wrap items-center gap-x-1 gap-y-1">
				<IconButton label={playing ? "Pause" : "Play"} keys="Space or K" onClick={player.toggle}>
					{playing ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
				</IconButton>
				<IconButton label="Back 10 seconds" keys="J" onClick={() => player.skip(-10)}>
					<RotateCcw aria-hidden className="size-4" />
				</IconButton>
				<IconButton label="Forward 10 seconds" keys="L" onClick={() => player.skip(10)}>
					<RotateCw aria-hidden className="size-4" />
				</IconButton>
				<IconButton label="Previous frame" keys="comma" onClick={() => player.step(-1)}>
					<ChevronFirst aria-hidden className="size-4" />
				</IconButton>
				<IconButton label="Next frame" keys="full stop" onClick={() => player.step(1)}>
					<ChevronLast aria-hidden className="size-4" />
				</IconButton>
				<span className="px-2 text-xs text-muted tabular-nums">
					<span className="text-ink">{formatInstant(seconds)}</span> / {formatDuration(Math.round(durationSeconds))}
				</span>
				<div className="ms-auto flex items-center gap-1">
					<select
						aria-label="Speed"
						title="Speed"
						value={speed}
						onChange={(event) => player.setSpeed(Number(event.target.value))}
						className="h-8 rounded-md border border-transparent bg-transparent px-1 text-xs text-muted tabular-nums hover:bg-hover hover:text-ink"
					>
						{SPEEDS.map((one) => (
							<option key={one} value={one}>
								{one}×
							</option>
						))}
					</select>
					{children}
					<IconButton label="Full screen" keys="F" onClick={player.fullScreen}>
						<Maximize aria-hidden className="size-4" />
					</IconButton>
				</div>
			</div>
		</section>
	);
}

function IconButton(props: { label: string; keys: string; onClick(): void; children: ReactNode }) {
	return (
		<Button
			look="quiet"
			size="icon"
			aria-label={props.label}
			title={`${props.label} (${props.keys})`}
			onClick={props.onClick}
		>
			{props.children}
		</Button>
	);
}
