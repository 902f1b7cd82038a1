"use client";

import { useQuery } from "@tanstack/react-query";
import { formatClock, formatInstant } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import type { Played } from "#lib/client/recordings.ts";
import { framePath, pictureTime, storyboardQuery } from "#lib/client/storyboard.ts";
import { MARKER_LOOKS } from "./marker-kinds.tsx";
import { useSteadyFrame } from "./use-steady-frame.ts";

const PREVIEW_PX = 168;

export interface Hover {
	/** Pixels from the bar's left end. */
	x: number;
	width: number;
	/** 0 to 1 of the video. */
	part: number;
}

interface Props {
	recording: Played;
	hover: Hover | null;
	durationSeconds: number;
	startedAt: number | null;
	/** The marker under the pointer. */
	marker: TimedMarker | undefined;
}

/** A look at where a click would lead. */
export function SeekPreview({ recording, hover, durationSeconds, startedAt, marker }: Props) {
	const { data: times } = useQuery({ ...storyboardQuery(recording), enabled: hover !== null && !recording.shared });
	const seconds = marker?.seconds ?? (hover?.part ?? 0) * durationSeconds;
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
			{marker === undefined ? null : <MarkerName marker={marker} />}
			<span className="rounded bg-black/80 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
				{formatInstant(seconds)}
				{startedAt === null ? null : (
					<span className="ps-1.5 font-normal text-white/75">{formatClock(startedAt + seconds * 1000)}</span>
				)}
			</span>
		</div>
	);
}

function MarkerName({ marker }: { marker: TimedMarker }) {
	const { Icon, tone } = MARKER_LOOKS[marker.kind];
	return (
		<span className="flex max-w-full items-center gap-1.5 rounded border border-line bg-surface px-1.5 py-0.5 text-xs shadow-float">
			<Icon className={`size-3.5 shrink-0 ${tone}`} />
			<span className="truncate">{marker.label}</span>
		</span>
	);
}
