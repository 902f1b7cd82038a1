"use client";

import { type CSSProperties, type PointerEvent, useRef, useState } from "react";
import { formatSpan } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import type { Played } from "#lib/client/recordings.ts";
import { playerTexts as texts } from "#lib/texts/player.ts";
import { MarkerTicks } from "./marker-ticks.tsx";
import { type Hover, SeekPreview } from "./seek-preview.tsx";
import type { Loop } from "./use-loop.ts";
import type { Player } from "./use-player.ts";

/** Half of the bar's knob: its middle is the value, so that the ends of the bar mean nothing. */
const KNOB_PX = 6;
/** So near to a marker, the pointer means it. */
const NEAR_PX = 6;

interface Props {
	recording: Played;
	player: Player;
	markers: readonly TimedMarker[];
	startedAt: number | null;
}

/** Where the video is, with its markers and its loop. Time runs from left to right in every language. */
export function SeekBar({ recording, player, markers, startedAt }: Props) {
	const { durationSeconds, live } = player;
	const seconds = live?.following === true ? durationSeconds : Math.min(player.seconds, durationSeconds);
	const bar = useRef<HTMLDivElement>(null);
	const [hover, setHover] = useState<Hover | null>(null);
	const follow = (event: PointerEvent) => {
		const rect = bar.current?.getBoundingClientRect();
		if (event.pointerType === "touch" || rect === undefined || rect.width <= 2 * KNOB_PX) return;
		const part = (event.clientX - rect.left - KNOB_PX) / (rect.width - 2 * KNOB_PX);
		setHover({ x: event.clientX - rect.left, width: rect.width, part: Math.min(1, Math.max(0, part)) });
	};
	const nearSeconds = hover === null ? 0 : (NEAR_PX / (hover.width - 2 * KNOB_PX)) * durationSeconds;
	const pointed = (hover?.part ?? 0) * durationSeconds;
	const near = hover === null ? undefined : markers.find((marker) => Math.abs(marker.seconds - pointed) <= nearSeconds);
	return (
		<div
			ref={bar}
			dir="ltr"
			className="relative flex pt-1.5"
			onPointerEnter={follow}
			onPointerMove={follow}
			onPointerLeave={() => setHover(null)}
		>
			<LoopRange loop={player.loop} durationSeconds={durationSeconds} />
			<input
				type="range"
				aria-label={texts.seek}
				aria-valuetext={texts.seekValue(formatSpan(seconds), formatSpan(durationSeconds))}
				min={0}
				max={durationSeconds || 1}
				step="any"
				value={seconds}
				onChange={(event) => player.seek(event.target.valueAsNumber)}
				style={{ "--part": `${(100 * seconds) / (durationSeconds || 1)}%` } as CSSProperties}
				className="scrub relative w-full rounded-sm"
			/>
			<MarkerTicks markers={markers} durationSeconds={durationSeconds} onSeek={player.seek} />
			<SeekPreview
				recording={recording}
				hover={durationSeconds > 0 ? hover : null}
				durationSeconds={durationSeconds}
				startedAt={startedAt}
				marker={near}
			/>
		</div>
	);
}

/** The stretch that plays again and again. */
function LoopRange({ loop, durationSeconds }: { loop: Loop | null; durationSeconds: number }) {
	if (loop === null || durationSeconds <= 0) return null;
	const place = (seconds: number) => (100 * Math.min(seconds, durationSeconds)) / durationSeconds;
	const width = place(loop.end ?? durationSeconds) - place(loop.start);
	return (
		<div aria-hidden className="pointer-events-none absolute inset-x-1.5 bottom-1 h-4">
			<span
				data-loop
				style={{ left: `${place(loop.start)}%`, width: `${width}%` }}
				className="absolute inset-y-0.5 rounded-sm border-x-2 border-accent bg-accent-soft"
			/>
		</div>
	);
}
