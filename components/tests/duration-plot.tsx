import { aboutTime } from "@tapedeck/contract/about-time.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { useMemo } from "react";
import { PlotFigure } from "#components/ui/plot-figure.tsx";
import { formatExact, formatLength } from "#lib/client/format.ts";
import { isFailure, resultWord } from "./result-icon.tsx";

const WIDTH = 1_000;
const HEIGHT = 120;
const EDGE = 6;

interface Point {
	result: TestResult;
	x: number;
	y: number;
}

/** Durations of the runs, the newest last: passed ones as dots, failed ones as crosses. */
export function DurationPlot({ results }: { results: readonly TestResult[] }) {
	const { points, most, least } = useMemo(() => pointsOf(results), [results]);
	if (points.length < 2) return null;
	return (
		<PlotFigure
			title="Duration of each run (dot: passed or skipped, cross: failed)"
			scale={`up to ${formatLength(most)}`}
			columns={["Started", "Result", "Duration"]}
			rows={points.toReversed().map(({ result }) => ({
				key: result.id,
				cells: [
					aboutTime(result, formatExact(result.startedAt)),
					resultWord(result),
					formatLength(result.durationSeconds ?? 0),
				],
			}))}
			className="mt-4 border-t border-line pt-3"
			plot={
				<svg
					role="img"
					aria-label={`Duration of ${points.length} results, from ${formatLength(least)} to ${formatLength(most)}`}
					viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
					preserveAspectRatio="none"
					className="size-full overflow-visible"
				>
					<line x1={0} x2={WIDTH} y1={HEIGHT - EDGE} y2={HEIGHT - EDGE} className={LINE} />
					<line x1={0} x2={WIDTH} y1={EDGE} y2={EDGE} strokeDasharray="4 4" className={LINE} />
					<polyline
						points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
						className="fill-none stroke-line-strong [vector-effect:non-scaling-stroke]"
					/>
					{points.map(({ result, x, y }) => (
						// A line without length has round ends, whatever the plot's width.
						<path
							key={result.id}
							d={isFailure(result) ? `M${x - 4},${y - 4}l8,8m0,-8l-8,8` : `M${x},${y}h0.01`}
							strokeLinecap="round"
							className={clsx(
								"fill-none [vector-effect:non-scaling-stroke]",
								isFailure(result) ? "stroke-danger stroke-2" : "stroke-ok stroke-[7px]",
							)}
						/>
					))}
				</svg>
			}
		/>
	);
}

const LINE = "stroke-line [vector-effect:non-scaling-stroke]";

/** @param results the newest first */
function pointsOf(results: readonly TestResult[]): { points: Point[]; most: number; least: number } {
	const timed = results.filter(({ durationSeconds }) => durationSeconds !== null).toReversed();
	const seconds = timed.map(({ durationSeconds }) => durationSeconds ?? 0);
	const most = Math.max(...seconds, 0);
	const least = Math.min(...seconds, most);
	const points = timed.map((result, index) => ({
		result,
		x: EDGE + ((WIDTH - 2 * EDGE) * index) / Math.max(1, timed.length - 1),
		y: HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (result.durationSeconds ?? 0)) / (most || 1),
	}));
	return { points, most, least };
}
