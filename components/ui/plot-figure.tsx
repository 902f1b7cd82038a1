"use client";

import { clsx } from "clsx";
import { type ReactNode, useState } from "react";

interface Props {
	title: string;
	/** The scale of the plot, such as `up to 5.2 s`. */
	scale: string;
	plot: ReactNode;
	/** The same values as a table, for everyone who cannot see the plot or wants the numbers. */
	columns: readonly string[];
	rows: readonly { key: string | number; cells: readonly string[] }[];
	className?: string;
}

/** A plot with its title, its scale, and a table of the same values in its place and of its height. */
export function PlotFigure({ title, scale, plot, columns, rows, className }: Props) {
	const [isTable, setTable] = useState(false);
	return (
		<figure aria-label={title} className={className}>
			<figcaption className="flex min-h-6 flex-wrap items-center gap-x-3 text-xs text-muted tabular-nums">
				<span className="min-w-0 flex-1 text-ink">{title}</span>
				{isTable ? null : <span>{scale}</span>}
				<button
					type="button"
					aria-pressed={isTable}
					onClick={() => setTable(!isTable)}
					className={clsx(
						"min-h-6 rounded-sm px-1 underline-offset-2 hover:text-ink hover:underline",
						isTable && "text-ink underline",
					)}
				>
					Table
				</button>
			</figcaption>
			<div className="mt-1 h-32">{isTable ? <Table title={title} columns={columns} rows={rows} /> : plot}</div>
		</figure>
	);
}

const Table = ({ title, columns, rows }: Pick<Props, "title" | "columns" | "rows">) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so needs the keyboard
	<section aria-label={`${title}, as a table`} tabIndex={0} className="h-full overflow-y-auto rounded-sm">
		<table className="w-full text-xs tabular-nums">
			<thead className="sticky top-0 bg-surface text-start text-muted">
				<tr>
					{columns.map((column) => (
						<th key={column} scope="col" className="py-1 pe-4 text-start font-medium">
							{column}
						</th>
					))}
				</tr>
			</thead>
			<tbody className="divide-y divide-line">
				{rows.map(({ key, cells: [first, ...others] }) => (
					<tr key={key}>
						<th scope="row" className="py-1 pe-4 text-start font-normal whitespace-nowrap">
							{first}
						</th>
						{others.map((cell, index) => (
							<td key={columns[index + 1]} className="py-1 pe-4">
								{cell}
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	</section>
);
