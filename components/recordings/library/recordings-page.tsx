"use client";

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { MAX_ZIPPED_RECORDINGS } from "@tapedeck/contract/recording-kinds.ts";
import { Download, Film, LayoutGrid, PinOff, Rows3, ShieldCheck, Tag, Trash2 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useCallback, useMemo, useRef } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { NoMatches } from "#components/search/no-matches.tsx";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NewItemsChip } from "#components/ui/new-items-chip.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { SelectionBar } from "#components/ui/selection-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSelection } from "#components/ui/use-selection.ts";
import { useStableList } from "#components/ui/use-stable-list.ts";
import { DropArea, UploadButton, useUploadFiles } from "#components/uploads/upload-files.tsx";
import { counted } from "#lib/client/format.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { useNextPages } from "#lib/client/paging.ts";
import {
	filtersFromSearch,
	isFiltered,
	matchesFilters,
	type RecordingFilters,
	searchFromFilters,
	sortingOf,
} from "#lib/client/recording-filters.ts";
import { downloadPath, recordingsQuery, zipPath } from "#lib/client/recordings.ts";
import { changeWithUndo } from "../change-with-undo.ts";
import { useRememberedList } from "../last-list.ts";
import { useDeleteRecordings } from "../use-delete-recordings.ts";
import { LabelDialog } from "./label-dialog.tsx";
import { chooseListView, useListView } from "./list-view.ts";
import { RecordingsFilterBar } from "./recordings-filter-bar.tsx";
import { CardSkeletons, RecordingsGrid } from "./recordings-grid.tsx";
import { RecordingsTable, RowSkeletons } from "./recordings-table.tsx";
import { useScrollRestoration } from "./use-list-position.ts";
import { useLoadedRecordings } from "./use-loaded-recordings.ts";

/** Files of every kind: search, select, upload and delete. */
export function RecordingsPage() {
	const { filters, setFilters, clearFilters } = useFiltersInUrl();
	const canWrite = useCan("recordings:write");
	const { upload, dialog } = useUploadFiles();
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Recordings">
					<ViewSwitch />
					<Link href="/recordings/trash" aria-label="Trash" title="Trash" className={buttonClass()}>
						<Trash2 aria-hidden className="size-4" />
					</Link>
					{canWrite ? <UploadButton onFiles={upload} /> : null}
				</PageHead>
				<RecordingsFilterBar filters={filters} onChange={setFilters} />
			</div>
			{canWrite ? <DropArea onFiles={upload} /> : null}
			{dialog}
			<RecordingsList filters={filters} canWrite={canWrite} onChange={setFilters} onClearFilters={clearFilters} />
		</div>
	);
}

/** Chooses between cards and a table. */
function ViewSwitch() {
	const view = useListView();
	const buttons = [
		{ of: "cards", label: "Cards", Icon: LayoutGrid },
		{ of: "table", label: "Table", Icon: Rows3 },
	] as const;
	return (
		<fieldset className="flex gap-0.5">
			<legend className="sr-only">View</legend>
			{buttons.map(({ of, label, Icon }) => (
				<Button
					key={of}
					variant="ghost"
					size="icon"
					aria-label={label}
					title={label}
					aria-pressed={view === of}
					className="aria-pressed:bg-inset aria-pressed:text-ink"
					onClick={() => chooseListView(of)}
				>
					<Icon aria-hidden className="size-4" />
				</Button>
			))}
		</fieldset>
	);
}

interface ListProps {
	filters: RecordingFilters;
	canWrite: boolean;
	onChange(change: RecordingFilters): void;
	onClearFilters(): void;
}

function RecordingsList({ filters, canWrite, onChange, onClearFilters }: ListProps) {
	const scroller = useRef<HTMLDivElement>(null);
	const view = useListView();
	const isFrozen = useRef(false);
	const list = useInfiniteQuery({
		...recordingsQuery(filters),
		placeholderData: keepPreviousData,
		refetchInterval: (query) => !isFrozen.current && whenOutdated(query),
	});
	const loaded = useLoadedRecordings(list.data);
	const search = searchFromFilters(filters);
	const inUse = useRef(false);
	// While other filters load, the list shows what matches the ones before.
	const loadedFilters = useRef(filters);
	if (!list.isPlaceholderData) loadedFilters.current = filters;
	const { current: itsFilters } = loadedFilters;
	const fits = useCallback((recording: Recording) => matchesFilters(recording, itsFilters, Date.now()), [itsFilters]);
	const stable = useStableList(scroller, loaded, { list: list.isPlaceholderData ? null : search, inUse, fits });
	const { shown: recordings, waiting, frozen, showAll } = stable;
	isFrozen.current = frozen;
	const order = useMemo(() => recordings.map(({ id }) => id), [recordings]);
	const selection = useSelection(order);
	inUse.current = selection.ids.size > 0;
	const selected = recordings.filter(({ id }) => selection.ids.has(id));
	const deleteRecordings = useDeleteRecordings();
	useScrollRestoration(scroller, search, recordings.length > 0);
	useRememberedList({ name: "Recordings", href: `/recordings${search}`, filters });
	// A search may have looked at many recordings for a page and found none yet.
	const isSearchingOn = recordings.length === 0 && list.isSuccess && list.hasNextPage;
	useNextPages(list, 0, isSearchingOn ? 0 : Number.POSITIVE_INFINITY, 0);

	const clearSelection = () => {
		selection.clear();
		// The bar disappears, and with it the button that had the focus.
		scroller.current?.querySelector<HTMLElement>('a[data-recording][tabindex="0"]')?.focus({ preventScroll: true });
	};
	const deleteSelected = () => deleteRecordings(selected, selection.clear);
	const content = {
		recordings,
		scroller,
		pager: list,
		stale: list.isPlaceholderData,
		selection: canWrite ? selection : null,
		onDelete: deleteSelected,
	};
	return (
		<div className="relative flex min-h-0 flex-1 flex-col">
			<div
				ref={scroller}
				className="min-h-0 flex-1 overflow-y-auto bg-canvas [overflow-anchor:none] [scrollbar-gutter:stable]"
			>
				<NotLoaded what="the recordings" of={list} />
				{list.isPending || isSearchingOn ? view === "table" ? <RowSkeletons /> : <CardSkeletons /> : null}
				<NewItemsChip
					count={waiting.length}
					label={counted(waiting.length, "new recording", "new recordings")}
					hint="There are new recordings above."
					onPress={showAll}
				/>
				{recordings.length === 0 ? null : view === "table" ? (
					<RecordingsTable
						{...content}
						sort={filters.sort ?? "createdAt"}
						order={filters.order ?? "desc"}
						onSort={(sort, order) => onChange(sortingOf(sort, order))}
					/>
				) : (
					<RecordingsGrid {...content} />
				)}
				{list.isSuccess && recordings.length === 0 && !isSearchingOn ? (
					<Empty q={filters.q} filtered={isFiltered(filters)} canUpload={canWrite} onClearFilters={onClearFilters} />
				) : null}
			</div>
			{selected.length > 0 && canWrite ? (
				<BulkBar recordings={selected} onDelete={deleteSelected} onClear={clearSelection} />
			) : null}
		</div>
	);
}

/**
 * Filters live in the URL. A chosen filter is an entry in the browser's history; typed text is not, or every pause in
 * typing would be one.
 */
function useFiltersInUrl() {
	const search = useSearchParams().toString();
	const filters = useMemo(() => filtersFromSearch(new URLSearchParams(search)), [search]);
	const setFilters = useCallback((change: RecordingFilters) => {
		const current = filtersFromSearch(new URLSearchParams(window.location.search));
		const url = window.location.pathname + searchFromFilters({ ...current, ...change });
		if ("q" in change) window.history.replaceState(null, "", url);
		else window.history.pushState(null, "", url);
	}, []);
	const clearFilters = useCallback(() => window.history.pushState(null, "", window.location.pathname), []);
	return { filters, setFilters, clearFilters };
}

interface BulkBarProps {
	recordings: readonly Recording[];
	onDelete(): void;
	onClear(): void;
}

/** Actions on the selected recordings. */
const BulkBar = ({ recordings, onDelete, onClear }: BulkBarProps) => (
	<SelectionBar
		label="Selected recordings"
		count={`${recordings.length} selected`}
		clear="Clear selection"
		onClear={onClear}
	>
		<Button className="pointer-coarse:h-11" onClick={() => downloadAll(recordings)}>
			<Download aria-hidden className="size-4" />
			Download
		</Button>
		<DialogButton
			dialog={(control) => <LabelDialog recordings={recordings} {...control} />}
			className="pointer-coarse:h-11"
		>
			<Tag aria-hidden className="size-4" />
			Label
		</DialogButton>
		<KeepButton recordings={recordings} />
		<UnpinButton recordings={recordings} />
		<Button variant="danger" className="pointer-coarse:h-11" title="Delete (Del)" onClick={onDelete}>
			<Trash2 aria-hidden className="size-4" />
			Delete
		</Button>
	</SelectionBar>
);

/** Keeps the selected recordings that would otherwise be deleted because their test passed. */
function KeepButton({ recordings }: Pick<BulkBarProps, "recordings">) {
	const client = useQueryClient();
	const going = recordings.filter(({ deleteAt }) => deleteAt !== null);
	if (going.length === 0) return null;
	const keep = () =>
		void changeWithUndo(client, going, {
			changesOf: () => ({ keep: "always" }),
			undoOf: () => ({ keep: "failed" }),
			done: (count) => `Kept ${counted(count, "recording", "recordings")}.`,
		});
	return (
		<Button className="pointer-coarse:h-11" title="Kept, although the test passed" onClick={keep}>
			<ShieldCheck aria-hidden className="size-4" />
			Keep
		</Button>
	);
}

/** Unpins the selected recordings that are pinned. */
function UnpinButton({ recordings }: Pick<BulkBarProps, "recordings">) {
	const client = useQueryClient();
	const pinned = recordings.filter((recording) => recording.pinned);
	if (pinned.length === 0) return null;
	const unpin = () =>
		void changeWithUndo(client, pinned, {
			changesOf: () => ({ pinned: false }),
			undoOf: () => ({ pinned: true }),
			done: (count) => `Unpinned ${counted(count, "recording", "recordings")}.`,
		});
	return (
		<Button className="pointer-coarse:h-11" title="Retention may delete them again" onClick={unpin}>
			<PinOff aria-hidden className="size-4" />
			Unpin
		</Button>
	);
}

/**
 * Saves one recording as a video, several as one zip. The browser shows the progress and continues after the page is
 * left.
 */
function downloadAll(recordings: readonly Recording[]): void {
	const ids = recordings.map(({ id }) => id);
	if (ids.length === 1) {
		ids.map(downloadPath).forEach(save);
		return;
	}
	if (ids.length > MAX_ZIPPED_RECORDINGS) {
		toast.error(`One zip has at most ${MAX_ZIPPED_RECORDINGS} recordings. Select fewer.`);
		return;
	}
	const live = recordings.filter(({ state }) => state === "live").length;
	if (live === ids.length) {
		toast.error("No finished recordings selected.");
		return;
	}
	save(zipPath(ids));
	const leftOut = live === 0 ? "" : ` Skipped ${live} still in progress.`;
	toast(`Downloading ${counted(ids.length - live, "recording", "recordings")} as one zip.${leftOut}`);
}

function save(path: string): void {
	const link = document.createElement("a");
	link.href = path;
	link.download = "";
	link.click();
}

interface EmptyProps {
	filtered: boolean;
	q: string | undefined;
	canUpload: boolean;
	onClearFilters(): void;
}

const Empty = ({ filtered, q, canUpload, onClearFilters }: EmptyProps) =>
	filtered ? (
		<NoMatches what="recordings" path="/v1/recordings" q={q} onClearFilters={onClearFilters} />
	) : (
		<EmptyState
			icon={Film}
			title="No recordings yet"
			actions={
				<Link href="/jobs" className={buttonClass("primary")}>
					Go to jobs
				</Link>
			}
		>
			The videos and screenshots of your jobs appear here.{" "}
			{canUpload ? "To upload files, drop them anywhere on this page." : null}
		</EmptyState>
	);
