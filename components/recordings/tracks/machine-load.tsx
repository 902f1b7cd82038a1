"use client";

import type { TrackLine } from "@tapedeck/contract/track.ts";
import { useMemo } from "react";
import { lineAt } from "./track-window.ts";

/** A line describes the time before it. A line further away than this does not apply. */
const REACH_SECONDS = 3;

/** The machine's load at a second, in words; null if it is unknown. */
export function loadWords(load: readonly TrackLine[], seconds: number): string | null {
	const line = load[lineAt(load, seconds) + 1] ?? load.at(-1);
	if (line === undefined || line.offsetSeconds === null) return null;
	if (Math.abs(line.offsetSeconds - seconds) > REACH_SECONDS) return null;
	const busy = busyShare(line);
	return busy === null ? line.text : `${Math.round((1 - busy) * 100)} % of the CPU left`;
}

/** The share of processor time that was unavailable to tests, from 0 to 1; null for a line without this value. */
function busyShare({ data }: TrackLine): number | null {
	const share = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
	if (data === null || typeof data.cpu !== "number") return null;
	return Math.min(1, share(data.cpu) + share(data.steal) + share(data.diskWait));
}

/** The number of columns in the drawing; more could not be distinguished. */
const COLUMNS = 400;

/** The load as a thin line under the seek bar: the busiest moment of each column. */
export function LoadLine({ load, durationSeconds }: { load: readonly TrackLine[]; durationSeconds: number }) {
	const path = useMemo(() => pathOf(load, durationSeconds), [load, durationSeconds]);
	if (path === null) return null;
	return (
		<svg
			aria-hidden="true"
			data-load
			viewBox={`0 0 ${COLUMNS} 1`}
			preserveAspectRatio="none"
			className="pointer-events-none absolute inset-x-1.5 bottom-0 h-2 w-[calc(100%-0.75rem)] overflow-visible"
		>
			<path d={path} className="fill-none stroke-muted [vector-effect:non-scaling-stroke]" />
		</svg>
	);
}

function pathOf(load: readonly TrackLine[], durationSeconds: number): string | null {
	if (durationSeconds <= 0) return null;
	const columns = new Map<number, number>();
	for (const line of load) {
		const busy = busyShare(line);
		if (busy === null || line.offsetSeconds === null) continue;
		const column = Math.round((COLUMNS * line.offsetSeconds) / durationSeconds);
		if (column >= 0 && column <= COLUMNS) columns.set(column, Math.max(busy, columns.get(column) ?? 0));
	}
	const points = [...columns].toSorted(([a], [b]) => a - b);
	if (points.length < 2) return null;
	return `M${points.map(([column, busy]) => `${column} ${(1 - busy).toFixed(3)}`).join("L")}`;
}
