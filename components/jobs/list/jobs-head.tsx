"use client";

import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ComponentProps, createContext, useContext } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { COLUMNS } from "./job-columns.tsx";

const LINE = "shadow-[inset_0_-1px_0_var(--line)]";

interface Props {
	/** The state of the checkbox for all rows; null when the user may not select. */
	select: { all: boolean; some: boolean; toggle(): void } | null;
	oldestFirst: boolean;
	/** Turns the order round. */
	onSort(): void;
}

/** The columns' names. On a phone, where rows are cards, for screen readers only. */
export const JobsHead = ({ select, oldestFirst, onSort }: Props) => (
	<thead className="group/head max-md:sr-only md:sticky md:top-0 md:z-10 md:bg-canvas">
		<tr className="text-xs text-muted">
			{select === null ? null : (
				<th scope="col" className={clsx("h-8 w-10 ps-2 text-start align-middle", LINE)}>
					<span className="sr-only">Select</span>
					<SelectBox
						label="Select all loaded jobs"
						checked={select.all}
						partly={select.some && !select.all}
						onToggle={select.toggle}
						className="-my-2 max-md:hidden group-hover/head:before:visible"
					/>
				</th>
			)}
			{COLUMNS.map(({ name, width, sorts, end }, index) => (
				<th
					key={name}
					scope="col"
					aria-sort={sorts ? (oldestFirst ? "ascending" : "descending") : undefined}
					className={clsx(
						"h-8 px-2 font-medium",
						end ? "text-end" : "text-start",
						index === 0 && select === null && "ps-6",
						LINE,
						width,
					)}
				>
					{sorts ? (
						<>
							<span className="md:hidden">{name}</span>
							<SortButton name={name} oldestFirst={oldestFirst} onSort={onSort} />
						</>
					) : (
						name
					)}
				</th>
			))}
			<th scope="col" className={clsx("w-11 min-[920px]:w-13", LINE)}>
				<span className="sr-only">Actions</span>
			</th>
		</tr>
	</thead>
);

/** Sorts by when the jobs were created, the one order that any list of jobs can be read in. On a phone, a menu sorts. */
const SortButton = ({ name, oldestFirst, onSort }: Pick<Props, "oldestFirst" | "onSort"> & { name: string }) => {
	const Arrow = oldestFirst ? ArrowUp : ArrowDown;
	return (
		<button
			type="button"
			title={oldestFirst ? "Oldest first. Show the newest first" : "Newest first. Show the oldest first"}
			className="-mx-1 flex h-6 items-center gap-1 rounded-sm px-1 font-medium hover:text-ink max-md:hidden"
			onClick={onSort}
		>
			{name}
			<Arrow aria-hidden className="size-3.5 shrink-0" />
		</button>
	);
};

/** Cells draw the line below a row: with a border of the row, browsers repaint all rows at every change. */
export const ROW_LINE = "border-line max-md:border-b md:*:border-b md:*:border-line";

// One line for the row, because its cells do not fill it.
const SKELETON = `${LINE} max-md:block max-md:h-[92px] max-md:p-4 md:h-11`;
// On a phone: where the text of a row begins, after its checkbox.
const BESIDE_BOX = "max-md:ps-12.5 pointer-coarse:max-md:ps-13";

/** Rows that are loading. */
export const SkeletonRows = ({ count = 8, selectable }: { count?: number; selectable: boolean }) =>
	Array.from({ length: count }, (_, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
		<tr key={index} aria-hidden className={clsx(SKELETON, selectable && BESIDE_BOX)}>
			{selectable ? <td className="max-md:hidden" /> : null}
			<td className={clsx("md:px-2", !selectable && "md:ps-6")}>
				<Skeleton className="h-3 w-20" />
			</td>
			<td className="max-md:mt-3 max-md:block md:px-2">
				<Skeleton className="h-3 w-2/3" />
			</td>
			<td className="max-md:hidden md:px-2">
				<Skeleton className="h-3 w-1/2" />
			</td>
		</tr>
	));

/**
 * Whether something is selected: then all checkboxes are shown. A context, because with an attribute of the table the
 * browser would recompute the style of every cell.
 */
export const Selecting = createContext(false);

/**
 * A checkbox that selects rows. It is hidden until its row has the pointer or the focus, or something is selected; on a
 * touch screen it always shows. Hidden without a transition: each half-transparent one would be a layer of its own.
 * @param props.className also says when it is shown
 */
export function SelectBox({ className, ...rest }: ComponentProps<typeof Checkbox>) {
	const atRest = !useContext(Selecting);
	return (
		<Checkbox
			className={clsx(
				className,
				atRest && "not-checked:before:invisible focus-visible:before:visible pointer-coarse:not-checked:before:visible",
			)}
			{...rest}
		/>
	);
}
