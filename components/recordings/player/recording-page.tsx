"use client";

import { ChevronDown, ChevronLeft, ChevronUp, Columns2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { formatBytes, formatDuration } from "#lib/client/format.ts";
import { useRecording } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { DeletionNote } from "../deletion-note.tsx";
import { LabelsEditor } from "../labels-editor.tsx";
import { useLastList } from "../last-list.ts";
import { RecordingBadges } from "../recording-badges.tsx";
import { RecordingNotFound } from "../recording-not-found.tsx";
import { VerdictNotice } from "../verdict-notice.tsx";
import { IconButton } from "./icon-button.tsx";
import { clearPlayRequest, comparePath, isPlayRequested, requestPlay } from "./player-link.ts";
import { RecordingHistory } from "./recording-history.tsx";
import { type PlayerHandle, RecordingPlayer } from "./recording-player.tsx";
import { MAX_VIDEO_HEIGHT } from "./video-frame.tsx";

/** One recording, playing. */
export function RecordingPage({ recordingId, startSeconds }: { recordingId: number; startSeconds: number }) {
	const goTo = useNavigate();
	const query = useRecording(recordingId);
	const recording = query.data;
	const playRequested = usePlayRequest(recordingId);
	usePageTitle(recording?.name);
	const player: PlayerHandle = useRef(null);

	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="mx-auto flex max-w-[2200px] flex-col gap-4 p-4 md:p-6">
				<ListLinks recordingId={recordingId} />
				{query.isError ? (
					<Notice tone="danger" alert>
						{`Couldn't load the recording. ${errorMessage(query.error)}`}
					</Notice>
				) : null}
				{recording === null ? <RecordingNotFound recordingId={recordingId} /> : null}
				{query.isPending ? <Waiting /> : null}
				{recording ? (
					<>
						<Head recording={recording} />
						{isComparable(recording) ? <CompareLink recordingId={recording.id} /> : null}
						<LabelsEditor recording={recording} />
						<VerdictNotice verdict={recording.verdict} />
						<RecordingPlayer
							recording={recording}
							startSeconds={startSeconds}
							autoPlay={playRequested}
							preload="metadata"
							handle={player}
							onDeleted={() => void goTo("/recordings")}
						/>
						<p className="text-xs text-muted pointer-coarse:hidden [@media(hover:none)]:hidden">
							Press ? for keyboard shortcuts.
						</p>
						<History recording={recording} player={player} />
					</>
				) : null}
			</div>
		</div>
	);
}

/** Whether a click asked for this recording to play. The request counts until its page is left. */
function usePlayRequest(recordingId: number): boolean {
	const [requested] = useState(() => isPlayRequested(recordingId));
	useEffect(() => clearPlayRequest, []);
	return requested;
}

/** The button that was pressed on the page before: it keeps the focus. */
let pressed: string | null = null;

/** The way back to the list, and to the recordings above and below this one in it. */
function ListLinks({ recordingId }: { recordingId: number }) {
	const goTo = useNavigate();
	const { name, href, previous, next } = useLastList(recordingId);
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (pressed !== null) box.current?.querySelector<HTMLElement>(`[aria-label="${pressed}"]`)?.focus();
		pressed = null;
	}, []);
	const play = (one: typeof next, by: string | null = null) => {
		if (one === null) return;
		pressed = by;
		requestPlay(one.id);
		void goTo(one.path);
	};
	useShortcuts({ previousOpenRecording: () => play(previous), nextOpenRecording: () => play(next) });
	return (
		<div ref={box} className="flex min-h-8 items-center gap-1">
			<Link
				href={href}
				className="-ms-1 me-auto flex min-h-6 min-w-0 items-center gap-1 rounded-sm pe-1 text-sm text-muted hover:text-ink"
			>
				<ChevronLeft aria-hidden className="size-4 shrink-0" />
				<span className="truncate">{name}</span>
			</Link>
			{previous === null && next === null ? null : (
				<>
					<IconButton
						label="Previous recording"
						keys="Shift K"
						shortcuts="Shift+K"
						aria-disabled={previous === null}
						onClick={() => play(previous, "Previous recording")}
					>
						<ChevronUp aria-hidden />
					</IconButton>
					<IconButton
						label="Next recording"
						keys="Shift J"
						shortcuts="Shift+J"
						aria-disabled={next === null}
						onClick={() => play(next, "Next recording")}
					>
						<ChevronDown aria-hidden />
					</IconButton>
				</>
			)}
		</div>
	);
}

/** How its job went, below the player; a click on an event shows its moment. */
function History({ recording, player }: { recording: Recording; player: PlayerHandle }) {
	const { jobId } = recording;
	if (jobId === null) return null;
	const seek = (seconds: number) => {
		player.current?.seek(seconds);
		player.current?.video?.scrollIntoView({ block: "nearest" });
	};
	return <RecordingHistory jobId={jobId} recording={recording} onSeek={seek} />;
}

const Head = ({ recording }: { recording: Recording }) => (
	<div>
		<div className="flex flex-wrap items-center gap-2">
			<h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">{recording.name}</h1>
			<RecordingBadges recording={recording} />
		</div>
		<ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
			{recording.state === "live" ? null : <li>{formatDuration(Math.round(recording.durationSeconds))}</li>}
			<li>{formatBytes(recording.bytes)}</li>
			{recording.width !== null && recording.height !== null ? (
				<li>{`${recording.width} × ${recording.height}`}</li>
			) : null}
			<li>
				<TimeAgo at={recording.createdAt} />
			</li>
			{recording.deleteAt === null ? null : (
				<li>
					<DeletionNote recordingId={recording.id} name={recording.name} at={recording.deleteAt} />
				</li>
			)}
			<li>
				{recording.jobId === null ? (
					"Uploaded"
				) : (
					<Link href={`/jobs/${recording.jobId}`} className="text-accent underline underline-offset-2">
						{`Job ${recording.jobId}`}
					</Link>
				)}
			</li>
		</ul>
	</div>
);

/** A failure is worth comparing once its video is complete. */
const isComparable = ({ state, outcome, verdict }: Recording): boolean =>
	state !== "live" && (outcome === "failed" || outcome === "error" || verdict === "black" || verdict === "frozen");

const CompareLink = ({ recordingId }: { recordingId: number }) => (
	<Link href={comparePath(recordingId)} className={`${buttonClass("secondary", "small")} w-fit`}>
		<Columns2 aria-hidden className="size-3.5" />
		Compare with last passed
	</Link>
);

const Waiting = () => (
	<>
		<Skeleton className="h-6 w-64" />
		<div style={{ maxHeight: MAX_VIDEO_HEIGHT }} className="overflow-hidden rounded-lg">
			<Skeleton className="aspect-video w-full" />
		</div>
	</>
);
