import { formatDay } from "#lib/client/format.ts";
import { PlotFigure } from "./plot-figure.tsx";

export interface Day {
	/** In UTC, such as `2026-11-28`. */
	day: string;
	/** The parts of its bar, the lowest first; null if nothing is known of this day. */
	parts: readonly { value: number; look: string }[] | null;
	/** Its row in the table, without the day. */
	cells: readonly string[];
}

interface Props {
	title: string;
	/** The oldest first. */
	days: readonly Day[];
	/** The headings of `cells`. */
	columns: readonly string[];
	/** A value in words, for the scale. */
	format(value: number): string;
	/** The scale goes at least to this value, so that little looks like little. */
	atLeast: number;
	className?: string;
}

/** A bar for each day. */
export function DayPlot({ title, days, columns, format, atLeast, className }: Props) {
	const most = Math.max(atLeast, ...days.map(heightOf));
	const first = days[0];
	if (first === undefined) return null;
	const known = days.filter(({ parts }) => parts !== null);
	const values = known.map(heightOf);
	return (
		<PlotFigure
			title={title}
			scale={`up to ${format(most)}`}
			columns={["Day", ...columns]}
			rows={days.toReversed().map(({ day, cells }) => ({ key: day, cells: [dayName(day), ...cells] }))}
			className={className}
			plot={
				<div
					role="img"
					aria-label={
						known.length === 0
							? `${title}: nothing is known yet`
							: `${title} on ${known.length} days, from ${format(Math.min(...values))} to ${format(Math.max(...values))}`
					}
					className="flex h-full flex-col"
				>
					<div className="flex min-h-0 flex-1 gap-px border-y border-t-line border-b-line-strong sm:gap-0.5">
						{days.map((one) => (
							<Bar key={one.day} day={one} most={most} title={wordsOf(one, columns)} />
						))}
					</div>
					<div className="flex justify-between pt-1 text-xs text-muted">
						<span>{dayName(first.day)}</span>
						<span>Today</span>
					</div>
				</div>
			}
		/>
	);
}

const Bar = ({ day, most, title }: { day: Day; most: number; title: string }) => (
	<div title={title} className="flex h-full min-w-0 flex-1 flex-col-reverse hover:bg-hover">
		{day.parts?.map(({ value, look }) =>
			value === 0 ? null : (
				<span key={look} className={`min-h-0.5 ${look}`} style={{ height: `${(100 * value) / most}%` }} />
			),
		)}
	</div>
);

const heightOf = ({ parts }: Day): number => parts?.reduce((sum, { value }) => sum + value, 0) ?? 0;

const wordsOf = ({ day, cells }: Day, columns: readonly string[]): string =>
	[dayName(day), ...cells.map((cell, index) => `${columns[index]}: ${cell}`)].join(", ");

/** Noon is on the same day wherever the user is. */
const dayName = (day: string): string => formatDay(`${day}T12:00:00`);
