import type { TimedMarker } from "#lib/client/markers.ts";

/** A moment that both videos have. */
export interface Alignment {
	label: string;
	/** How many seconds later it is in the right video. */
	offset: number;
}

/** The markers of the same name, each by its first, in the order of the left video. */
export function commonMarkers(left: readonly TimedMarker[], right: readonly TimedMarker[]): Alignment[] {
	const firsts = new Map<string, number>();
	for (const { label, seconds } of left) if (!firsts.has(label)) firsts.set(label, seconds);
	return [...firsts].flatMap(([label, seconds]) => {
		const other = right.find((marker) => marker.label === label);
		return other === undefined ? [] : [{ label, offset: Math.round((other.seconds - seconds) * 1_000) / 1_000 }];
	});
}
