"use client";

import type { Recording } from "@tapedeck/contract/recording.ts";
import { clsx } from "clsx";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { useSelection } from "#components/ui/use-selection.ts";
import { useVirtualRows } from "#components/ui/use-virtual-rows.ts";
import { type Pager, useNextPages } from "#lib/client/paging.ts";
import { RecordingCard } from "./recording-card.tsx";
import { useCardFocus } from "./use-card-focus.ts";

const GRID = "grid grid-cols-[repeat(auto-fill,minmax(min(100%,clamp(232px,14vw,320px)),1fr))] gap-x-4 gap-y-5";
/** The next page is fetched this many cards before the end of the loaded ones. */
const AHEAD = 96;

/** The layout until the first card is measured. */
const ESTIMATE = { columns: 1, rowPx: 240 };

interface Props {
	recordings: readonly Recording[];
	scroller: RefObject<HTMLElement | null>;
	pager: Pager;
	/** These are the recordings of earlier filters; the new ones are loading. */
	stale: boolean;
	/** They are all of one build, which the page names. */
	isOneBuild?: boolean;
	/** Null if the user may not select recordings. */
	selection: ReturnType<typeof useSelection> | null;
	onDelete(): void;
}

/** The cards; only those near the viewport are in the document. */
export function RecordingsGrid(props: Props) {
	const { recordings, scroller, pager, stale, isOneBuild = false, selection, onDelete } = props;
	const order = useMemo(() => recordings.map(({ id }) => id), [recordings]);
	const cards = useCardGrid(scroller, recordings.length);
	const { tabStop, onCardFocus } = useCardFocus(cards.grid, { ...cards, order, select: selection });
	useNextPages(pager, cards.end, recordings.length, AHEAD);
	const anySelected = selection !== null && selection.ids.size > 0;
	useShortcuts(anySelected ? { deleteSelected: onDelete } : {});

	return (
		<div className={clsx("px-4 py-4 md:px-6 md:py-6", anySelected && "pb-24 md:pb-24")}>
			<ul
				ref={cards.grid}
				aria-label="Recordings"
				aria-busy={stale}
				style={{ paddingBlock: `${cards.before}px ${cards.after}px` }}
				className={clsx(GRID, stale && "stale")}
			>
				{recordings.slice(cards.first, cards.end).map((recording, index) => (
					<RecordingCard
						key={recording.id}
						recording={recording}
						position={cards.first + index + 1}
						total={pager.hasNextPage ? -1 : recordings.length}
						tabStop={recording.id === tabStop}
						isOneBuild={isOneBuild}
						selected={selection?.ids.has(recording.id) ?? null}
						selecting={anySelected}
						onFocus={onCardFocus}
						onSelect={selection?.onSelect ?? ignore}
					/>
				))}
			</ul>
			{pager.isFetchingNextPage ? <CardSkeletons count={4} /> : null}
		</div>
	);
}

const ignore = () => undefined;

/** Placeholders while cards load. */
export const CardSkeletons = ({ count = 24 }: { count?: number }) => (
	<div aria-hidden className={clsx(GRID, count < 24 ? "pt-5" : "p-4 md:p-6")}>
		{Array.from({ length: count }, (_, index) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
			<div key={index}>
				<Skeleton className="aspect-video w-full rounded-lg" />
				<Skeleton className="mt-2 h-5 w-2/3" />
				<Skeleton className="mt-0.5 h-4 w-1/3" />
			</div>
		))}
	</div>
);

/** Virtual rows of cards. CSS decides on the columns; the height of a row is measured, and all are the same. */
function useCardGrid(scroller: RefObject<HTMLElement | null>, count: number) {
	const grid = useRef<HTMLUListElement>(null);
	const [{ columns, rowPx }, setLayout] = useState(ESTIMATE);

	const measure = useCallback(() => {
		const list = grid.current;
		const card = list?.querySelector("li");
		if (!list || !card) return;
		const style = getComputedStyle(list);
		const next = {
			columns: style.gridTemplateColumns.split(" ").length,
			rowPx: card.getBoundingClientRect().height + Number.parseFloat(style.rowGap),
		};
		setLayout((now) => (now.columns === next.columns && Math.abs(now.rowPx - next.rowPx) < 0.1 ? now : next));
	}, []);
	const isEmpty = count === 0;
	useLayoutEffect(() => {
		if (isEmpty || grid.current === null) return;
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(grid.current);
		return () => observer.disconnect();
	}, [isEmpty, measure]);

	const rows = useVirtualRows(scroller, { count: Math.ceil(count / columns), rowPx, overscan: 3 });
	return {
		grid,
		columns,
		/** The cards in the document: from `first` up to, but not including, `end`. */
		first: rows.first * columns,
		end: Math.min(count, rows.end * columns),
		/** The height of the rows before and after those, in pixels. */
		before: rows.before,
		after: rows.after,
		scrollToCard: (index: number) => rows.scrollToRow(Math.floor(index / columns)),
	};
}
