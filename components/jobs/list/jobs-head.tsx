"use client";

import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ComponentProps, createContext, useCallback, useContext, useSyncExternalStore } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

/**
 * Below 768 px each row is a card of three lines. Wider, it is a table whose rows all have the same height. On narrow
 * screens (`narrow`) the display is shown below its runner and the stop condition below the name; on very narrow ones
 * (`tight`) also the duration below the start. `wide` screens have one more column, with the job's creator.
 * The reason why a job waits or failed is shown next to its status at every width.
 */
export type Layout = "cards" | "tight" | "narrow" | "full" | "wide";

/** Layout of the rows. The head, which the server renders too, follows the same widths by its classes. */
export function useLayout(): Layout {
	const [table, narrow] = [useMediaQuery("(min-width: 768px)"), useMediaQuery("(min-width: 920px)")];
	const [full, wide] = [useMediaQuery("(min-width: 1180px)"), useMediaQuery("(min-width: 1600px)")];
	if (!table) return "cards";
	if (!narrow) return "tight";
	if (!full) return "narrow";
	return wide ? "wide" : "full";
}

/** Whether some cells hold two things. */
export const isShort = (layout: Layout): boolean => layout === "tight" || layout === "narrow";

/** Marks what is apart from its row: a click on it does not open the row. */
export const APART = "data-apart";

export const ROW_PX = 44;
export const CARD_PX = 92;

const IN_COLUMN = "max-[1180px]:hidden";
const IF_PLENTY = "max-[1600px]:hidden";
const COLUMNS = [
	{ name: "Status", width: "w-38 min-[920px]:w-41 min-[1180px]:w-46 min-[1600px]:w-56" },
	{ name: "Name", width: "" },
	{ name: "Runner", width: "w-26 min-[920px]:w-36 min-[1600px]:w-52 min-[2200px]:w-72" },
	{ name: "Display", width: `w-16 ${IN_COLUMN}` },
	{ name: "Stop condition", width: `w-36 min-[1600px]:w-48 min-[2200px]:w-80 ${IN_COLUMN}` },
	{ name: "Created by", width: `w-44 min-[2200px]:w-60 ${IF_PLENTY}` },
	{ name: "Started", width: "w-21 min-[920px]:w-26 min-[1600px]:w-32", sorts: true },
	{ name: "Duration", width: "w-20 md:max-[920px]:hidden", end: true },
] as const;

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
			{COLUMNS.map(({ name, width, ...column }, index) => (
				<th
					key={name}
					scope="col"
					aria-sort={"sorts" in column ? (oldestFirst ? "ascending" : "descending") : undefined}
					className={clsx(
						"h-8 px-2 font-medium",
						"end" in column ? "text-end" : "text-start",
						index === 0 && select === null && "ps-6",
						LINE,
						width,
					)}
				>
					{"sorts" in column ? (
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

/** By when the jobs were created: the one order that any list of jobs can be read in. On a phone, a menu sorts. */
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

/** One `MediaQueryList` per query, shared by all callers: it is read at every render. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
	const list = lists.get(query) ?? window.matchMedia(query);
	lists.set(query, list);
	return list;
}

/** Whether the media query matches; on the server it always does. */
function useMediaQuery(query: string): boolean {
	const subscribe = useCallback(
		(listener: () => void) => {
			const list = listOf(query);
			list.addEventListener("change", listener);
			return () => list.removeEventListener("change", listener);
		},
		[query],
	);
	return useSyncExternalStore(
		subscribe,
		() => listOf(query).matches,
		() => true,
	);
}
