"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { DeletedRecording } from "@tapedeck/contract/deleted-recording.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { ChevronLeft, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { useNowAs } from "#components/ui/use-now.ts";
import { counted, formatBytes, formatSpan, quoted } from "#lib/client/format.ts";
import { retentionQuery } from "#lib/client/retention.ts";
import { type TrashFilters, trashQuery, usePurgeRecording } from "../deleted-recordings.ts";
import { OutcomeBadge } from "../outcome-badge.tsx";
import { deletedByText } from "./deletion-text.ts";
import { filtersOf, RestoreAllButton, type TrashChoice, TrashFilter, WHOLE_TRASH } from "./restore-all.tsx";
import { RestoreButton } from "./restore-button.tsx";

/** Deleted recordings that can be restored. */
export function TrashPage() {
	const [shown, setShown] = useState<{ choice: TrashChoice; filters: TrashFilters }>({
		choice: WHOLE_TRASH,
		filters: {},
	});
	const trash = useInfiniteQuery(trashQuery(shown.filters));
	const mayWrite = useCan("recordings:write");
	const retention = useQuery(retentionQuery()).data;
	const rows = trash.data?.pages.flatMap((page) => page.data);
	const heading = useRef<HTMLDivElement>(null);
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="mx-auto flex max-w-4xl flex-col gap-3 p-4 md:p-6">
				<Link href="/recordings" className="-ms-1 flex items-center gap-1 self-start text-sm text-muted hover:text-ink">
					<ChevronLeft aria-hidden className="size-4" />
					Recordings
				</Link>
				<div ref={heading} tabIndex={-1} className="outline-none">
					<PageHead title="Trash" />
				</div>
				<p className="text-sm text-muted">
					{retention === undefined
						? "Deleted recordings stay here for a while."
						: `Deleted recordings stay here for ${counted(retention.trashHours, "hour", "hours")}. They count towards storage: ${formatBytes(retention.trashBytes)} now. If the disk or the storage quota is full, the oldest ones are removed earlier.`}
				</p>
				<div className="flex flex-wrap items-center justify-between gap-2">
					<TrashFilter
						choice={shown.choice}
						onChange={(choice) =>
							setShown(
								choice.reason === "all" && choice.age === "any"
									? { choice: WHOLE_TRASH, filters: {} }
									: { choice, filters: filtersOf(choice, Date.now()) },
							)
						}
					/>
					{mayWrite && rows !== undefined && rows.length > 0 ? (
						<RestoreAllButton filters={shown.filters} onRestored={() => heading.current?.focus()} />
					) : null}
				</div>
				<NotLoaded what="the trash" of={trash} />
				{trash.isPending ? <Skeleton className="h-32 w-full rounded-lg" /> : null}
				{rows?.length === 0 && shown.choice !== WHOLE_TRASH ? (
					<p className="text-sm text-muted">Nothing in the trash was deleted like this.</p>
				) : null}
				{rows?.length === 0 && shown.choice === WHOLE_TRASH ? (
					<EmptyState icon={Trash2} title="The trash is empty">
						Recordings that you or retention delete can be restored from here.
					</EmptyState>
				) : null}
				{rows !== undefined && rows.length > 0 ? (
					<ul aria-label="Deleted recordings" className="divide-y divide-line rounded-lg border border-line bg-surface">
						{rows.map((row) => (
							<Row key={row.id} row={row} mayWrite={mayWrite} onGone={() => heading.current?.focus()} />
						))}
					</ul>
				) : null}
				<ShowMore list={trash} className="self-start" />
			</div>
		</div>
	);
}

function Row({ row, mayWrite, onGone }: { row: DeletedRecording; mayWrite: boolean; onGone(): void }) {
	const [asking, setAsking] = useState(false);
	const purge = usePurgeRecording();
	const confirm = () =>
		void toastOutcome(purge.mutateAsync(row.id), {
			done: () => {
				setAsking(false);
				toast.success(`Removed ${quoted(row.name)} for good.`);
				onGone();
			},
			failed: "Couldn't remove the recording.",
		});
	return (
		<li className="flex flex-col gap-2 px-4 py-3 sm:flex-row sm:items-center sm:justify-between sm:gap-4">
			<div className="min-w-0">
				<div className="flex flex-wrap items-center gap-2">
					<Link href={`/recordings/${row.id}`} className="min-w-0 truncate text-sm font-medium hover:underline">
						{row.name}
					</Link>
					{row.outcome === null ? null : <OutcomeBadge outcome={row.outcome} />}
				</div>
				<p className="mt-0.5 text-xs text-muted tabular-nums">
					{`${formatDuration(row.durationSeconds)} · ${formatBytes(row.bytes)} · ${deletedByText(row)} `}
					<TimeAgo at={row.deletedAt} />
					{row.restorableUntil === null ? null : <RemovedIn at={row.restorableUntil} />}
				</p>
			</div>
			{mayWrite ? (
				<div className="flex shrink-0 gap-2">
					<RestoreButton id={row.id} name={row.name} size="small" onRestored={onGone} />
					<Button size="small" aria-label={`Delete for good: ${row.name}`} onClick={() => setAsking(true)}>
						Delete for good
					</Button>
					<ConfirmDialog
						open={asking}
						onOpenChange={setAsking}
						title="Delete for good?"
						action="Delete for good"
						busy={purge.isPending}
						onConfirm={confirm}
					>
						The video of {quoted(row.name)} is removed now and can't be restored.
					</ConfirmDialog>
				</div>
			) : null}
		</li>
	);
}

function RemovedIn({ at }: { at: string }) {
	const text = useNowAs((now) => {
		const seconds = (Date.parse(at) - now) / 1000;
		return seconds <= 0 ? " · removed soon" : ` · removed in ${formatSpan(seconds).split(" ", 2).join(" ")}`;
	});
	return <span suppressHydrationWarning>{text}</span>;
}
