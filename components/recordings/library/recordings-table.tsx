"use client";

import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Order, RecordingKind, RecordingSort } from "@tapedeck/contract/recording-kinds.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { ArrowDown, ArrowUp, File, FileText, Film, Image, type LucideIcon } from "lucide-react";
import { type ComponentType, memo, type RefObject, useMemo, useRef } from "react";
import { buildPath } from "#components/builds/build-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { MatchedLine } from "#components/search/matched-line.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { SpacerRow } from "#components/ui/spacer-row.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import type { useSelection } from "#components/ui/use-selection.ts";
import { useVirtualRows } from "#components/ui/use-virtual-rows.ts";
import { formatBytes } from "#lib/client/format.ts";
import { type Pager, useNextPages } from "#lib/client/paging.ts";
import { useRunnerName } from "#lib/client/runners.ts";
import { requestPlay } from "../player/player-link.ts";
import { RecordingBadges } from "../recording-badges.tsx";
import { useCardFocus } from "./use-card-focus.ts";

const ROW_PX = 44;
/** The next page is fetched this many rows before the end of the loaded ones. */
const AHEAD = 96;

const KINDS: Record<RecordingKind, { name: string; Icon: LucideIcon }> = {
	video: { name: "Video", Icon: Film },
	image: { name: "Image", Icon: Image },
	document: { name: "Document", Icon: FileText },
	other: { name: "Other file", Icon: File },
};

interface CellProps {
	recording: Recording;
	tabStop: boolean;
}

interface Column {
	name: string;
	/** Classes of its head and its cells: its width, and the widths of the page at which it is hidden. */
	width: string;
	/** The API's order that the head turns round. */
	sort?: RecordingSort;
	/** Aligned with the end. */
	end?: true;
	Cell: ComponentType<CellProps>;
}

const NameCell = ({ recording, tabStop }: CellProps) => {
	const { Icon, name: kind } = KINDS[recording.kind];
	return (
		<span className="flex min-w-0 items-center gap-2">
			<Icon aria-label={kind} role="img" className="size-4 shrink-0 text-muted" />
			<Link
				href={`/recordings/${recording.id}`}
				data-recording={recording.id}
				tabIndex={tabStop ? 0 : -1}
				onClick={() => requestPlay(recording.id)}
				title={recording.name}
				className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0"
			>
				{recording.name}
			</Link>
			{recording.matchedLine === undefined ? null : (
				<span className="min-w-0 truncate text-xs text-muted max-md:hidden">
					<MatchedLine text={recording.matchedLine} />
				</span>
			)}
		</span>
	);
};

const StateCell = ({ recording }: CellProps) => (
	<span className="flex gap-1 overflow-hidden">
		<RecordingBadges recording={recording} />
	</span>
);

const BuildCell = ({ recording: { labels }, tabStop }: CellProps) =>
	labels.build ? (
		<Link
			href={buildPath(labels.build)}
			tabIndex={tabStop ? 0 : -1}
			className="relative z-10 rounded-sm hover:text-ink hover:underline"
		>
			{labels.build}
		</Link>
	) : (
		"–"
	);

const RunnerName = ({ runnerId }: { runnerId: number }) => useRunnerName(runnerId) ?? `Runner ${runnerId}`;

/** The columns in their order, after the checkbox. */
const COLUMNS: readonly Column[] = [
	{ name: "Name", width: "", Cell: NameCell },
	{ name: "State", width: "w-36 max-md:hidden", Cell: StateCell },
	{ name: "Kind", width: "w-26 max-[920px]:hidden", Cell: ({ recording }) => KINDS[recording.kind].name },
	{ name: "Build", width: "w-36 max-[1180px]:hidden", Cell: BuildCell },
	{
		name: "Runner",
		width: "w-36 max-[1600px]:hidden",
		Cell: ({ recording: { runnerId } }) => (runnerId === null ? "–" : <RunnerName runnerId={runnerId} />),
	},
	{
		name: "Dimensions",
		width: "w-28 max-[1180px]:hidden",
		end: true,
		Cell: ({ recording: { width, height } }) => (width === null || height === null ? "–" : `${width} × ${height}`),
	},
	{
		name: "Length",
		width: "w-24 max-md:hidden",
		sort: "durationSeconds",
		end: true,
		Cell: ({ recording: { kind, durationSeconds } }) => (kind === "video" ? formatDuration(durationSeconds) : "–"),
	},
	{
		name: "Size",
		width: "w-24 max-[480px]:hidden",
		sort: "bytes",
		end: true,
		Cell: ({ recording: { bytes } }) => formatBytes(bytes),
	},
	{
		name: "Created",
		width: "w-28",
		sort: "createdAt",
		end: true,
		Cell: ({ recording: { createdAt } }) => <TimeAgo at={createdAt} />,
	},
];

interface Sorting {
	sort: RecordingSort;
	order: Order;
	onSort(sort: RecordingSort, order: Order): void;
}

interface Props extends Sorting {
	recordings: readonly Recording[];
	scroller: RefObject<HTMLElement | null>;
	pager: Pager;
	/** These are the recordings of earlier filters; the new ones are loading. */
	stale: boolean;
	/** Null if the user may not select recordings. */
	selection: ReturnType<typeof useSelection> | null;
	onDelete(): void;
}

/** The recordings as rows; only those near the viewport are in the document. */
export function RecordingsTable({ recordings, scroller, pager, stale, selection, onDelete, ...sorting }: Props) {
	const order = useMemo(() => recordings.map(({ id }) => id), [recordings]);
	const table = useRef<HTMLTableElement>(null);
	const rows = useVirtualRows(scroller, { count: recordings.length, rowPx: ROW_PX, overscan: 12 });
	const { tabStop, onCardFocus } = useCardFocus(table, {
		...{ order, columns: 1, first: rows.first, end: rows.end },
		scrollToCard: rows.scrollToRow,
		select: selection,
	});
	useNextPages(pager, rows.end, recordings.length, AHEAD);
	useShortcuts(selection !== null && selection.ids.size > 0 ? { deleteSelected: onDelete } : {});
	return (
		<div className={clsx(selection !== null && selection.ids.size > 0 && "pb-24")}>
			<table
				ref={table}
				aria-label="Recordings"
				aria-busy={stale}
				aria-rowcount={pager.hasNextPage ? -1 : recordings.length + 1}
				className={clsx("w-full table-fixed border-separate border-spacing-0 text-sm", stale && "stale")}
			>
				<Head selection={selection} loaded={order} {...sorting} />
				<tbody>
					<SpacerRow height={rows.before} />
					{recordings.slice(rows.first, rows.end).map((recording, index) => (
						<Row
							key={recording.id}
							recording={recording}
							position={rows.first + index + 2}
							tabStop={recording.id === tabStop}
							selected={selection?.ids.has(recording.id) ?? null}
							onFocus={onCardFocus}
							onSelect={selection?.onSelect ?? ignore}
						/>
					))}
					<SpacerRow height={rows.after} />
				</tbody>
			</table>
		</div>
	);
}

const ignore = () => undefined;

/** Placeholders while rows load. */
export const RowSkeletons = () => (
	<div aria-hidden>
		{Array.from({ length: 12 }, (_, index) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
			<div key={index} className="flex h-11 items-center border-b border-line px-6">
				<Skeleton className="h-3 w-1/3" />
			</div>
		))}
	</div>
);

const LINE = "border-b border-line";
const FIRST = "ps-4 md:ps-6";
const LAST = "pe-4 md:pe-6";
const edges = (index: number, hasBox: boolean) =>
	clsx(index === 0 && !hasBox && FIRST, index === COLUMNS.length - 1 && LAST);

type HeadProps = Sorting & Pick<Props, "selection"> & { loaded: readonly number[] };

function Head({ selection, loaded, sort, order, onSort }: HeadProps) {
	const all = selection !== null && loaded.length > 0 && selection.ids.size === loaded.length;
	return (
		<thead className="sticky top-0 z-20 bg-canvas">
			<tr className="text-xs text-muted">
				{selection === null ? null : (
					<th scope="col" className={clsx("h-8 w-11 ps-2 text-start align-middle md:w-13 md:ps-4", LINE)}>
						<Checkbox
							label="Select all loaded recordings"
							checked={all}
							partly={!all && selection.ids.size > 0}
							onToggle={all ? selection.clear : selection.selectAll}
						/>
					</th>
				)}
				{COLUMNS.map(({ name, width, end, sort: by }, index) => (
					<th
						key={name}
						scope="col"
						aria-sort={by === sort ? (order === "asc" ? "ascending" : "descending") : undefined}
						className={clsx(
							"h-8 px-2 font-medium",
							end ? "text-end" : "text-start",
							edges(index, selection !== null),
							LINE,
							width,
						)}
					>
						{by === undefined ? name : <SortButton {...{ name, by, sort, order, onSort }} />}
					</th>
				))}
			</tr>
		</thead>
	);
}

function SortButton({ name, by, sort, order, onSort }: Sorting & { name: string; by: RecordingSort }) {
	const isSorted = by === sort;
	const Arrow = order === "asc" ? ArrowUp : ArrowDown;
	return (
		<button
			type="button"
			title={`Sort by ${name.toLowerCase()}`}
			className="-mx-1 inline-flex h-6 items-center gap-1 rounded-sm px-1 font-medium hover:text-ink"
			onClick={() => onSort(by, isSorted && order === "desc" ? "asc" : "desc")}
		>
			{isSorted ? <Arrow aria-hidden className="size-3.5 shrink-0" /> : null}
			{name}
		</button>
	);
}

interface RowProps extends CellProps {
	/** Its place in the whole table, the head being 1. */
	position: number;
	/** Null if the user may not select recordings. */
	selected: boolean | null;
	onFocus(id: number): void;
	onSelect(id: number, range: boolean): void;
}

/** A recording. Its name is the link, and the link covers the whole row. */
const Row = memo(function Row({ recording, position, tabStop, selected, onFocus, onSelect }: RowProps) {
	return (
		<tr
			data-virtual
			aria-rowindex={position}
			onFocus={() => onFocus(recording.id)}
			className={clsx(
				"relative h-11 scroll-mt-8 text-muted -outline-offset-2 has-[a[data-recording]:focus-visible]:outline-2 has-[a[data-recording]:focus-visible]:outline-accent",
				selected ? "bg-accent-soft" : "hover:bg-hover",
			)}
		>
			{selected === null ? null : (
				<td className={clsx("ps-2 md:ps-4", LINE)}>
					<span className="relative z-10 grid w-fit">
						<Checkbox
							label={`Select ${recording.name}`}
							checked={selected}
							tabIndex={tabStop ? 0 : -1}
							onToggle={(range) => onSelect(recording.id, range)}
						/>
					</span>
				</td>
			)}
			{COLUMNS.map(({ name, width, end, Cell }, index) => (
				<td
					key={name}
					className={clsx(
						"truncate px-2 tabular-nums",
						index === 0 && "text-ink",
						end && "text-end",
						edges(index, selected !== null),
						LINE,
						width,
					)}
				>
					<Cell recording={recording} tabStop={tabStop} />
				</td>
			))}
		</tr>
	);
});
