import { clsx } from "clsx";
import type { TimedMarker } from "#lib/client/markers.ts";
import { MARKER_LOOKS } from "./marker-kinds.tsx";

/** The markers on the bar, by their shapes: a click goes there. The list beside the video is the way by keyboard. */
export function MarkerTicks(props: {
	markers: readonly TimedMarker[];
	durationSeconds: number;
	onSeek(seconds: number): void;
}) {
	const { markers, durationSeconds, onSeek } = props;
	if (durationSeconds <= 0) return null;
	return (
		<div aria-hidden className="pointer-events-none absolute inset-x-1.5 top-0 h-2.5">
			{markers.map(({ id, kind, seconds }) => (
				<button
					key={id}
					type="button"
					tabIndex={-1}
					data-tick={kind}
					style={{ left: `${Math.min(100, (100 * seconds) / durationSeconds)}%` }}
					onClick={() => onSeek(seconds)}
					className="pointer-events-auto absolute top-0 grid h-2.5 w-3 -translate-x-1/2 place-items-center"
				>
					<span className={clsx("block", MARKER_LOOKS[kind].tick)} />
				</button>
			))}
		</div>
	);
}
