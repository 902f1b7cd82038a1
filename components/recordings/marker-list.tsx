"use client";

import { clsx } from "clsx";
import { CircleCheck, CircleX, Flag, type LucideIcon, StickyNote } from "lucide-react";
import { formatInstant } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import type { Marker } from "#lib/contract/marker.ts";

const KINDS: Record<Marker["kind"], { Icon: LucideIcon; tone: string; word: string }> = {
	step: { Icon: Flag, tone: "text-accent", word: "Step" },
	pass: { Icon: CircleCheck, tone: "text-ok", word: "Passed" },
	fail: { Icon: CircleX, tone: "text-danger", word: "Failed" },
	note: { Icon: StickyNote, tone: "text-muted", word: "Note" },
};

interface Props {
	markers: readonly TimedMarker[];
	/** Where the video is; the last marker before it is the chapter that plays. */
	seconds: number;
	onSeek(seconds: number): void;
}

/** The chapters of a video: a click goes there. */
export function MarkerList({ markers, seconds, onSeek }: Props) {
	const current = markers.findLast((marker) => marker.seconds <= seconds + 0.05)?.id;
	return (
		<ol aria-label="Markers" className="max-h-56 overflow-y-auto border-t border-line py-1">
			{markers.map((marker) => {
				const { Icon, tone, word } = KINDS[marker.kind];
				const here = marker.id === current;
				return (
					<li key={marker.id}>
						<button
							type="button"
							aria-current={here ? "true" : undefined}
							onClick={() => onSeek(marker.seconds)}
							className={clsx(
								"flex w-full items-center gap-2.5 px-4 py-1.5 text-start text-sm -outline-offset-2 hover:bg-hover",
								here && "bg-accent-soft",
							)}
						>
							<Icon aria-hidden className={clsx("size-4 shrink-0", tone)} />
							<span className="sr-only">{word}: </span>
							<span className="min-w-0 flex-1 truncate" title={marker.label}>
								{marker.label}
							</span>
							<span className="shrink-0 text-xs text-muted tabular-nums">{formatInstant(marker.seconds)}</span>
						</button>
					</li>
				);
			})}
		</ol>
	);
}

/** Where the chapters begin, on the scrub bar. */
export function MarkerTicks({
	markers,
	durationSeconds,
}: {
	markers: readonly TimedMarker[];
	durationSeconds: number;
}) {
	if (durationSeconds <= 0) return null;
	return (
		<div aria-hidden className="pointer-events-none absolute inset-x-1.5 inset-y-0">
			{markers.map((marker) => (
				<span
					key={marker.id}
					style={{ left: `${Math.min(100, (100 * marker.seconds) / durationSeconds)}%` }}
					className={clsx(
						"absolute top-0.5 h-3 w-0.5 -translate-x-1/2 rounded-full",
						marker.kind === "fail" ? "bg-danger" : marker.kind === "pass" ? "bg-ok" : "bg-line-strong",
					)}
				/>
			))}
		</div>
	);
}
