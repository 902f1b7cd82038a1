"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type RefObject, useCallback, useEffect, useMemo } from "react";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useKeys } from "#components/ui/use-keys.ts";
import type { useSelection } from "#components/ui/use-selection.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { recordingsTexts as texts } from "#lib/texts/recordings.ts";
import { RecordingCard } from "./recording-card.tsx";
import { useCardFocus } from "./use-card-focus.ts";
import { useCardGrid } from "../use-card-grid.ts";

const GRID = "grid grid-cols-[repeat(auto-fill,minmax(min(100%,clamp(232px,14vw,320px)),1fr))] gap-x-4 gap-y-5";
/** How many cards before the end of what is loaded the next page is asked for. */
const AHEAD = 96;

type Pager = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isError" | "fetchNextPage">;

interface Props {
	recordings: readonly Recording[];
	scroller: RefObject<HTMLElement | null>;
	pager: Pager;
	/** What is shown is of other filters, and the right ones are on their way. */
	stale: boolean;
	/** Null for who may not select. */
	selection: ReturnType<typeof useSelection> | null;
	onDelete(): void;
}

/** The cards; only those in sight are in the document. */
export function RecordingsGrid({ recordings, scroller, pager, stale, selection, onDelete }: Props) {
	const order = useMemo(() => recordings.map(({ id }) => id), [recordings]);
	const cards = useCardGrid(scroller, recordings.length);
	const { tabStop, onCardFocus } = useCardFocus(cards.grid, { ...cards, order, select: selection });
	useNextPages(pager, cards.end, recordings.length);
	const anySelected = selection !== null && selection.ids.size > 0;
	useKeys(anySelected ? { delete: onDelete } : {});
	const { toggle, extend } = selection ?? NOBODY;
	const onSelect = useCallback((id: number, range: boolean) => (range ? extend(id) : toggle(id)), [toggle, extend]);

	return (
		<div className={clsx("px-4 py-4 md:px-6 md:py-6", anySelected && "pb-24 md:pb-24")}>
			<ul
				ref={cards.grid}
				aria-label={texts.title}
				aria-busy={stale}
				style={{ paddingBlock: `${cards.before}px ${cards.after}px` }}
				className={clsx(GRID, stale && "opacity-60")}
			>
				{recordings.slice(cards.first, cards.end).map((recording, index) => (
					<RecordingCard
						key={recording.id}
						recording={recording}
						position={cards.first + index + 1}
						total={pager.hasNextPage ? -1 : recordings.length}
						tabStop={recording.id === tabStop}
						selected={selection?.ids.has(recording.id) ?? null}
						selecting={anySelected}
						onFocus={onCardFocus}
						onSelect={onSelect}
					/>
				))}
			</ul>
			{pager.isFetchingNextPage ? <CardSkeletons count={4} /> : null}
		</div>
	);
}

const NOBODY = { toggle: () => undefined, extend: () => undefined };

/** Stands where cards will be. */
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

/** Asks for the next page when the end of what is loaded comes near. */
function useNextPages(pager: Pager, end: number, loaded: number): void {
	const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = pager;
	useEffect(() => {
		if (hasNextPage && !isFetchingNextPage && !isError && end >= loaded - AHEAD) void fetchNextPage();
	}, [hasNextPage, isFetchingNextPage, isError, fetchNextPage, end, loaded]);
}
