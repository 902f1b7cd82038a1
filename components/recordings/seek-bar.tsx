"use client";

import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, type PointerEvent, useRef, useState } from "react";
import { formatInstant, formatSpan } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import { framePath, pictureTime, storyboardQuery } from "#lib/client/storyboard.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { MarkerTicks } from "./marker-list.tsx";
import type { Player } from "./use-player.ts";
import { useSteadyFrame } from "./use-steady-frame.ts";

/** Half of the bar's knob: its middle is the value, so that the ends of the bar mean nothing. */
const KNOB_PX = 6;
const PREVIEW_PX = 168;

/** Where the video is, with a look at where a click would lead. */
export function SeekBar({
	recording,
	player,
	markers,
}: {
	recording: Recording;
	player: Player;
	markers: readonly TimedMarker[];
}) {
	const { seconds, durationSeconds } = player;
	const bar = useRef<HTMLDivElement>(null);
	const [hover, setHover] = useState<Hover | null>(null);
	const follow = (event: PointerEvent) => {
		const rect = bar.current?.getBoundingClientRect();
		if (event.pointerType === "touch" || rect === undefined || rect.width <= 2 * KNOB_PX) return;
		const part = (event.clientX - rect.left - KNOB_PX) / (rect.width - 2 * KNOB_PX);
		setHover({ x: event.clientX - rect.left, width: rect.width, part: Math.min(1, Math.max(0, part)) });
	};
	return (
		<div
			ref={bar}
			className="relative flex"
			onPointerEnter={follow}
			onPointerMove={follow}
			onPointerLeave={() => setHover(null)}
		>
			<input
				type="range"
				aria-label="Seek"
				aria-valuetext={`${formatSpan(seconds)} of ${formatSpan(durationSeconds)}`}
				min={0}
				max={durationSeconds || 1}
				step="any"
				value={Math.min(seconds, durationSeconds || 1)}
				onChange={(event) => player.seek(event.target.valueAsNumber)}
				style={{ "--part": `${(100 * Math.min(seconds, durationSeconds)) / (durationSeconds || 1)}%` } as CSSProperties}
				className="scrub w-full rounded-sm"
			/>
			<MarkerTicks markers={markers} durationSeconds={durationSeconds} />
			<Preview recording={recording} hover={durationSeconds > 0 ? hover : null} durationSeconds={durationSeconds} />
		</div>
	);
}

interface Hover {
	/** Pixels from the bar's left end. */
	x: number;
	width: number;
	/** 0 to 1 of the video. */
	part: number;
}

function Preview(props: { recording: Recording; hover: Hover | null; durationSeconds: number }) {
	const { recording, hover, durationSeconds } = props;
	const { data: times } = useQuery({ ...storyboardQuery(recording), enabled: hover !== null });
	const seconds = (hover?.part ?? 0) * durationSeconds;
	const at = hover === null || times === undefined ? null : pictureTime(times, seconds);
	const { src, loaded, settled } = useSteadyFrame(at === null ? null : framePath(recording.id, at));
	if (hover === null) return null;
	const half = PREVIEW_PX / 2;
	const left = Math.min(Math.max(hover.x, half), Math.max(half, hover.width - half));
	return (
		<div
			aria-hidden
			data-preview
			style={{ left, width: PREVIEW_PX }}
			className="pointer-events-none absolute bottom-full z-10 mb-2 flex -translate-x-1/2 flex-col items-center gap-1"
		>
			{src === null ? null : (
				// biome-ignore lint/performance/noImgElement: a small picture of our own; nothing to optimise
				<img
					src={src}
					alt=""
					decoding="async"
					onLoad={() => settled(true)}
					onError={() => settled(false)}
					style={{ aspectRatio: `${recording.width ?? 16} / ${recording.height ?? 9}` }}
					className={
						loaded
							? "max-h-40 w-full rounded-md border border-line bg-black object-contain shadow-float"
							: "invisible h-0"
					}
				/>
			)}
			<span className="rounded bg-black/80 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
				{formatInstant(seconds)}
			</span>
		</div>
	);
}
