"use client";

import { clsx } from "clsx";
import { X } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { formatInstant } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import { STALL_MARKER } from "#lib/contract/marker-kinds.ts";
import { markerTexts as texts } from "#lib/texts/player.ts";
import { MARKER_LOOKS } from "./marker-kinds.tsx";
import { type Markers, markerAt } from "./use-markers.ts";

interface Props {
	markers: Markers;
	/** Where the video is; the last marker before it is the chapter that plays. */
	seconds: number;
	onSeek(seconds: number): void;
}

/** The chapters of a video: a click goes there. */
export function MarkerList({ markers, seconds, onSeek }: Props) {
	const current = markerAt(markers.all, seconds)?.id;
	return (
		<ol aria-label={texts.list} className="min-h-0 overflow-y-auto py-1">
			{markers.all.map((marker) => (
				<Entry
					key={marker.id}
					marker={marker}
					here={marker.id === current}
					onSeek={onSeek}
					// Until the server knows it there is nothing to delete; and what happened to the video is no one's to delete.
					onDelete={markers.mayChange && marker.id > 0 && marker.kind !== STALL_MARKER ? markers.remove : null}
				/>
			))}
		</ol>
	);
}

function Entry(props: {
	marker: TimedMarker;
	here: boolean;
	onSeek(seconds: number): void;
	onDelete: ((marker: TimedMarker) => void) | null;
}) {
	const { marker, here, onSeek, onDelete } = props;
	const { Icon, tone } = MARKER_LOOKS[marker.kind];
	return (
		<li className={clsx("group flex items-center pe-2 hover:bg-hover", here && "bg-accent-soft")}>
			<button
				type="button"
				aria-current={here ? "true" : undefined}
				onClick={() => onSeek(marker.seconds)}
				className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 ps-4 pe-2 text-start text-sm -outline-offset-2 max-sm:py-3"
			>
				<Icon aria-hidden className={clsx("size-4 shrink-0", tone)} />
				<span className="sr-only">{texts.prefix(texts.kinds[marker.kind])}</span>
				<span className="min-w-0 flex-1 truncate" title={marker.label}>
					{marker.label}
				</span>
				<span className="shrink-0 text-xs text-muted tabular-nums">{formatInstant(marker.seconds)}</span>
			</button>
			{onDelete === null ? null : (
				<button
					type="button"
					aria-label={texts.delete(marker.label)}
					title={texts.delete(marker.label)}
					onClick={() => onDelete(marker)}
					className={clsx(
						buttonClass("quiet", "icon"),
						"size-7 focus-visible:opacity-100 group-hover:opacity-100 max-sm:size-11 [@media(hover:hover)]:opacity-0",
					)}
				>
					<X aria-hidden className="size-4" />
				</button>
			)}
		</li>
	);
}
