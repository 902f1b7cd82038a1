"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Film, SearchX } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { useDeletedHere } from "#lib/client/delayed-deletes.ts";
import { recordingsQuery } from "#lib/client/recordings.ts";
import { RecordingCard } from "./recording-card.tsx";
import { UploadButton } from "./upload-button.tsx";
import { useSearchInAddress } from "./use-search-in-address.ts";

const GRID =
	"grid grid-cols-1 gap-4 p-4 min-[480px]:grid-cols-2 md:p-6 lg:grid-cols-3 xl:grid-cols-4 min-[1800px]:grid-cols-6";

/** Every video, newest first. */
export function RecordingsPage() {
	const { wanted, text, setText } = useSearchInAddress();
	const list = useInfiniteQuery({
		...recordingsQuery(wanted === "" ? {} : { q: wanted }),
		placeholderData: keepPreviousData,
	});
	const deleted = useDeletedHere();
	const recordings = list.data?.pages.flatMap((page) => page.data).filter(({ id }) => !deleted.has(id)) ?? [];

	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Recordings">
					<UploadButton />
				</PageHead>
				<input
					type="search"
					aria-label="Search recordings"
					placeholder="Search recordings"
					className={inputClass(false, "sm:max-w-64")}
					value={text}
					maxLength={200}
					onChange={(event) => setText(event.target.value)}
				/>
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto">
				{list.isError ? (
					<Notice tone="danger" alert className="mx-4 mt-4 md:mx-6">
						The recordings could not be loaded. {wordsOf(list.error)}{" "}
						<Button size="small" className="ms-2" onClick={() => void list.refetch()}>
							Try again
						</Button>
					</Notice>
				) : null}
				{list.isPending ? <CardSkeletons /> : null}
				{recordings.length > 0 ? (
					<ul aria-label="Recordings" className={GRID}>
						{recordings.map((recording) => (
							<RecordingCard key={recording.id} recording={recording} />
						))}
					</ul>
				) : null}
				{list.isSuccess && recordings.length === 0 ? <Empty searched={wanted !== ""} /> : null}
				{list.hasNextPage ? (
					<MoreWhenSeen busy={list.isFetchingNextPage} onSeen={() => void list.fetchNextPage()} />
				) : null}
			</div>
		</div>
	);
}

const Empty = ({ searched }: { searched: boolean }) =>
	searched ? (
		<EmptyState icon={SearchX} title="No recording has that name">
			Try fewer letters, or another word.
		</EmptyState>
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
			Every job that captures something leaves its video here. A video that was made elsewhere can be uploaded above.
		</EmptyState>
	);

const CardSkeletons = () => (
	<div aria-hidden className={GRID}>
		{["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
			<div key={key}>
				<Skeleton className="aspect-video w-full rounded-lg" />
				<Skeleton className="mt-3 h-3 w-2/3" />
				<Skeleton className="mt-2 h-3 w-1/3" />
			</div>
		))}
	</div>
);

/** Asks for the next page when the end comes near; a button for those whose browser does not tell. */
function MoreWhenSeen({ busy, onSeen }: { busy: boolean; onSeen(): void }) {
	const mark = useRef<HTMLDivElement>(null);
	const [seen, setSeen] = useState(false);
	useEffect(() => {
		if (mark.current === null) return;
		const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false), {
			rootMargin: "600px",
		});
		observer.observe(mark.current);
		return () => observer.disconnect();
	}, []);
	// biome-ignore lint/correctness/useExhaustiveDependencies: onSeen is new at every drawing
	useEffect(() => {
		if (seen && !busy) onSeen();
	}, [seen, busy]);
	return (
		<div ref={mark} className="flex justify-center pb-8">
			<Button onClick={onSeen} aria-disabled={busy}>
				{busy ? "Loading…" : "Show more"}
			</Button>
		</div>
	);
}
