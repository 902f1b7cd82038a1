import type { RecentResult } from "@tapedeck/contract/listed-test.ts";
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { clsx } from "clsx";
import { counted } from "#lib/client/format.ts";

const BAR = 3;
const STEP = 4;
const HEIGHT = 20;

/** Bars that need attention are tall, so that they are recognized without colours. */
const LOOKS: Readonly<Record<Outcome, { word: string; height: number; fill: string }>> = {
	passed: { word: "passed", height: 10, fill: "fill-ok" },
	failed: { word: "failed", height: HEIGHT, fill: "fill-danger" },
	error: { word: "with an error", height: HEIGHT, fill: "fill-danger" },
	skipped: { word: "skipped", height: 3, fill: "fill-muted" },
};

const isFlakyPass = ({ outcome, flaky }: RecentResult): boolean => flaky && outcome === "passed";

/** Outcomes of the newest results of a test, the newest at the right. @param props.results the newest first */
export function Sparkline({ results, className }: { results: readonly RecentResult[]; className?: string }) {
	if (results.length === 0) return null;
	const width = results.length * STEP;
	return (
		<svg
			role="img"
			aria-label={describe(results)}
			viewBox={`0 0 ${width} ${HEIGHT}`}
			width={width}
			height={HEIGHT}
			// A narrow sparkline cuts off the oldest.
			preserveAspectRatio="xMaxYMid slice"
			className={clsx("min-w-0", className)}
		>
			{results.map((result, index) => {
				const { height, fill } = LOOKS[result.outcome];
				return (
					<rect
						key={result.id}
						x={(results.length - 1 - index) * STEP}
						y={HEIGHT - height}
						width={BAR}
						height={height}
						className={isFlakyPass(result) ? "fill-warn" : fill}
					/>
				);
			})}
		</svg>
	);
}

/** `Last 30 results: 25 passed, 3 failed, 2 flaky. The newest failed.` Each result counts once, as each bar has one colour. */
export function describe(results: readonly RecentResult[]): string {
	const counts = (Object.keys(LOOKS) as Outcome[]).flatMap((outcome) => {
		const count = results.filter((result) => result.outcome === outcome && !isFlakyPass(result)).length;
		return count === 0 ? [] : [`${count} ${LOOKS[outcome].word}`];
	});
	const flaky = results.filter(isFlakyPass).length;
	if (flaky > 0) counts.push(`${flaky} flaky`);
	const newest = results[0]?.outcome ?? "skipped";
	const ended = newest === "error" ? "ended with an error" : newest === "skipped" ? "was skipped" : newest;
	return `Last ${counted(results.length, "result", "results")}: ${counts.join(", ")}. The newest ${ended}.`;
}
