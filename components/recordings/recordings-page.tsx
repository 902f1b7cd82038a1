"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useCan } from "#components/session/use-session.ts";
import { NewItemsChip } from "#components/ui/new-items-chip.tsx";
import { NotLoaded } from "#components/ui/not-loaded.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { useSelection } from "#components/ui/use-selection.ts";
import { DropArea } from "#components/uploads/drop-area.tsx";
import { UploadButton } from "#components/uploads/upload-button.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { useDeletedHere } from "#lib/client/delayed-deletes.ts";
import { isNarrowed, type RecordingFilters, searchFromFilters } from "#lib/client/recording-filters.ts";
import { recordingsQuery } from "#lib/client/recordings.ts";
import type { Page } from "#lib/contract/page.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { recordingsTexts as texts } from "#lib/texts/recordings.ts";
import { RecordingsBulkBar } from "./recordings-bulk-bar.tsx";
import { RecordingsEmpty } from "./recordings-empty.tsx";
import { RecordingsFilterBar } from "./library/recordings-filter-bar.tsx";
import { CardSkeletons, RecordingsGrid } from "./library/recordings-grid.tsx";

import { useDeleteRecordings } from "./use-delete-recordings.ts";
import { useRecordingsAddress } from "./use-recordings-address.ts";
import { useReturnPlace } from "./use-return-place.ts";
import { useSteadyList } from "./use-steady-list.ts";

/** Every video: found, chosen, brought in and thrown away. */
export function RecordingsPage() {
	const { filters, setFilters, clearFilters } = useRecordingsAddress();
	const mayWrite = useCan("write");
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title={texts.title}>{mayWrite ? <UploadButton /> : null}</PageHead>
				<RecordingsFilterBar filters={filters} onChange={setFilters} />
			</div>
			{mayWrite ? <DropArea /> : null}
			<RecordingsList filters={filters} mayWrite={mayWrite} onClearFilters={clearFilters} />
		</div>
	);
}

interface ListProps {
	filters: RecordingFilters;
	mayWrite: boolean;
	onClearFilters(): void;
}

function RecordingsList({ filters, mayWrite, onClearFilters }: ListProps) {
	const scroller = useRef<HTMLDivElement>(null);
	const list = useInfiniteQuery({ ...recordingsQuery(filters), placeholderData: keepPreviousData });
	const loaded = useLoaded(list.data);
	const { shown, waiting, showAll } = useSteadyList(scroller, loaded);
	const recordings = useWithoutDeleted(shown);
	const order = useMemo(() => recordings.map(({ id }) => id), [recordings]);
	const selection = useSelection(order);
	const selected = recordings.filter(({ id }) => selection.ids.has(id));
	const deleteRecordings = useDeleteRecordings();
	const address = searchFromFilters(filters);
	const begun = useRef(address);
	useEffect(() => {
		// Another list begins at its beginning.
		if (begun.current !== address) showAll();
		begun.current = address;
	}, [address, showAll]);
	useReturnPlace(scroller, address, recordings.length > 0);

	const deleteSelected = () => {
		deleteRecordings(selected);
		selection.clear();
	};
	return (
		<div className="relative flex min-h-0 flex-1 flex-col">
			<div
				ref={scroller}
				className="min-h-0 flex-1 overflow-y-auto bg-canvas [overflow-anchor:none] [scrollbar-gutter:stable]"
			>
				{list.isError ? (
					<NotLoaded why={`${texts.notLoaded} ${wordsOf(list.error)}`} onRetry={() => void list.refetch()} />
				) : null}
				{list.isPending ? <CardSkeletons /> : null}
				<NewItemsChip count={waiting} words={texts.newAbove(waiting)} hint={texts.newAboveHint} onPress={showAll} />
				{recordings.length > 0 ? (
					<RecordingsGrid
						recordings={recordings}
						scroller={scroller}
						pager={list}
						stale={list.isPlaceholderData}
						selection={mayWrite ? selection : null}
						onDelete={deleteSelected}
					/>
				) : null}
				{list.isSuccess && recordings.length === 0 ? (
					<RecordingsEmpty narrowed={isNarrowed(filters)} mayUpload={mayWrite} onClearFilters={onClearFilters} />
				) : null}
			</div>
			{selected.length > 0 && mayWrite ? (
				<RecordingsBulkBar recordings={selected} onDelete={deleteSelected} onClear={selection.clear} />
			) : null}
		</div>
	);
}

/** One after the other. A page that was computed before something moved may have it a second time. */
function useLoaded(data: { pages: Page<Recording>[] } | undefined): readonly Recording[] {
	return useMemo(() => {
		const known = new Map<number, Recording>();
		for (const page of data?.pages ?? []) {
			for (const recording of page.data) if (!known.has(recording.id)) known.set(recording.id, recording);
		}
		return [...known.values()];
	}, [data]);
}

function useWithoutDeleted(recordings: readonly Recording[]): readonly Recording[] {
	const deleted = useDeletedHere();
	return useMemo(
		() => (deleted.size === 0 ? recordings : recordings.filter(({ id }) => !deleted.has(id))),
		[recordings, deleted],
	);
}
