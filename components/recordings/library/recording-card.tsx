"use client";

import { useQuery } from "@tanstack/react-query";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { formatDuration, formatPosition } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { Columns2, File, FileText, Film, Play } from "lucide-react";
import { memo, type PointerEvent, type RefObject, useRef, useState } from "react";
import { buildPath } from "#components/builds/build-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { MatchedLine } from "#components/search/matched-line.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { posterPath } from "#lib/client/recordings.ts";
import { useRunnerName } from "#lib/client/runners.ts";
import { DeletionNote } from "../deletion-note.tsx";
import { lastPassedQuery } from "../last-passed.ts";
import { comparePath, requestPlay } from "../player/player-link.ts";
import { RecordingBadges } from "../recording-badges.tsx";
import { framePath, frameTime, storyboardQuery, useThrottledImage } from "../storyboard.ts";

interface Props {
	recording: Recording;
	/** The card's place in the list, from 1, and the list's length; -1 while that is unknown. */
	position: number;
	total: number;
	/** Whether Tab reaches it. */
	tabStop: boolean;
	/** Whether the page names its build. */
	isOneBuild: boolean;
	/** Null if the user may not select recordings. */
	selected: boolean | null;
	/** Whether any card is selected: then every checkbox shows. */
	selecting: boolean;
	onFocus(id: number): void;
	/** @param range selects everything up to here. */
	onSelect(id: number, range: boolean): void;
}

/** A recording in the grid. Its name is the link, and the link covers the whole card. */
export const RecordingCard = memo(function RecordingCard(props: Props) {
	const { recording, position, total, tabStop, isOneBuild, selected, selecting, onFocus, onSelect } = props;
	const isVideo = recording.kind === "video";
	const poster = useRef<HTMLDivElement>(null);
	const { fraction, handlers } = useHoverFraction(poster);
	return (
		<li
			data-virtual
			aria-setsize={total}
			aria-posinset={position}
			className="group relative scroll-my-4 rounded-lg outline-offset-4 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
			{...handlers}
		>
			<div
				ref={poster}
				className={clsx(
					"relative aspect-video overflow-hidden rounded-lg border bg-inset",
					selected ? "border-accent ring-2 ring-accent" : "border-line",
				)}
			>
				<Poster recording={recording} />
				{isVideo ? (
					<span className="absolute inset-0 grid place-items-center opacity-0 transition-opacity duration-100 group-hover:opacity-100 group-hover:delay-200 group-has-focus-visible:opacity-100">
						<span className="grid size-11 place-items-center rounded-full bg-black/65 text-white">
							<Play aria-hidden className="size-5 translate-x-px fill-current" />
						</span>
					</span>
				) : null}
				{isVideo ? <CardScrub recording={recording} fraction={fraction} /> : null}
				<span className="absolute top-2 start-2 flex max-w-[calc(100%-3.5rem)] flex-wrap gap-1">
					<RecordingBadges recording={recording} />
				</span>
				{!isVideo || recording.state === "live" || fraction !== null ? null : (
					<span className="absolute end-2 bottom-2 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
						{formatDuration(recording.durationSeconds)}
					</span>
				)}
			</div>
			<div className="mt-2 flex h-5 items-center gap-2">
				<Link
					href={`/recordings/${recording.id}`}
					data-recording={recording.id}
					tabIndex={tabStop ? 0 : -1}
					onFocus={() => onFocus(recording.id)}
					onClick={() => requestPlay(recording.id)}
					title={recording.name}
					aria-describedby={`recording-${recording.id}`}
					className="-mt-1 min-w-0 truncate pt-1 text-sm font-medium outline-none after:absolute after:inset-0"
				>
					{recording.name}
				</Link>
				{isOneBuild ? <CompareLink recording={recording} tabStop={tabStop} /> : null}
			</div>
			<p id={`recording-${recording.id}`} className="-mb-1.5 h-6 truncate text-xs leading-6 text-muted tabular-nums">
				<TimeAgo at={recording.createdAt} />
				{recording.matchedLine === undefined ? (
					<>
						{isOneBuild ? null : <BuildNote build={recording.labels.build} tabStop={tabStop} />}
						{recording.labels.branch ? ` · ${recording.labels.branch}` : null}
					</>
				) : (
					<>
						{" · "}
						<MatchedLine text={recording.matchedLine} />
					</>
				)}
				{recording.deleteAt === null ? null : (
					<>
						{" · "}
						<DeletionNote recordingId={recording.id} name={recording.name} at={recording.deleteAt} tabStop={tabStop} />
					</>
				)}
				{recording.runnerId === null ? null : <RunnerNote runnerId={recording.runnerId} />}
			</p>
			{selected === null ? null : (
				<span
					className={clsx(
						"absolute top-1 end-1 grid rounded-md bg-surface/85 transition-opacity duration-100",
						!selecting &&
							"opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 [@media(hover:none)]:opacity-100",
					)}
				>
					<Checkbox
						label={`Select ${recording.name}`}
						checked={selected}
						tabIndex={tabStop ? 0 : -1}
						onToggle={(range) => onSelect(recording.id, range)}
					/>
				</span>
			)}
		</li>
	);
});

/** A live recording gets newer posters as it grows. */
const NEW_POSTER_SECONDS = 5;

function Poster({ recording }: { recording: Recording }) {
	const { id, kind, state, durationSeconds } = recording;
	const version = state === "live" ? `?live=${Math.floor(durationSeconds / NEW_POSTER_SECONDS)}` : "";
	const src = posterPath(id) + version;
	const [missingSrc, setMissingSrc] = useState("");
	// A missing poster may exist later, under another address.
	const missing = missingSrc === src;
	if (missing || kind === "document" || kind === "other") {
		const Icon = kind === "document" ? FileText : kind === "other" ? File : Film;
		return (
			<span className="grid size-full place-items-center">
				<Icon aria-hidden className="size-6 text-muted" />
			</span>
		);
	}
	return (
		// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
		<img
			src={src}
			alt=""
			loading="lazy"
			decoding="async"
			className="size-full object-cover"
			onError={() => setMissingSrc(src)}
		/>
	);
}

/**
 * The pointer's position along the poster, from 0 to 1. Null while it is elsewhere, and for a finger, which scrolls and
 * does not hover.
 */
function useHoverFraction(box: RefObject<HTMLElement | null>) {
	const [fraction, setFraction] = useState<number | null>(null);
	const follow = (event: PointerEvent) => {
		const rect = box.current?.getBoundingClientRect();
		if (event.pointerType === "touch" || rect === undefined || rect.width === 0) return;
		const inside = event.clientY >= rect.top && event.clientY < rect.bottom;
		setFraction(inside ? Math.min(1, Math.max(0, (event.clientX - rect.left) / rect.width)) : null);
	};
	return {
		fraction,
		handlers: { onPointerEnter: follow, onPointerMove: follow, onPointerLeave: () => setFraction(null) },
	};
}

/** The frame at that fraction of the recording, over its poster, with a bar that shows the position. */
function CardScrub({ recording, fraction }: { recording: Recording; fraction: number | null }) {
	const { data: times } = useQuery({ ...storyboardQuery(recording), enabled: fraction !== null });
	const length = recording.state === "live" ? (times?.at(-1) ?? 0) : recording.durationSeconds;
	const at = fraction === null || times === undefined ? null : frameTime(times, fraction * length);
	const { src, loaded, onSettled } = useThrottledImage(at === null ? null : framePath(recording.id, at));
	if (fraction === null || src === null) return null;
	return (
		<>
			{/* biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise */}
			<img
				src={src}
				alt=""
				data-scrub
				decoding="async"
				onLoad={() => onSettled(true)}
				onError={() => onSettled(false)}
				className={loaded ? "absolute inset-0 size-full bg-black object-cover" : "absolute size-0"}
			/>
			{loaded ? (
				<span aria-hidden>
					<span className="absolute inset-x-0 bottom-0 h-1 bg-black/50">
						<span className="block h-full bg-white" style={{ width: `${100 * fraction}%` }} />
					</span>
					<span className="absolute end-2 bottom-2 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
						{formatPosition(fraction * length)} / {formatDuration(length)}
					</span>
				</span>
			) : null}
		</>
	);
}

function RunnerNote({ runnerId }: { runnerId: number }) {
	const name = useRunnerName(runnerId);
	return name === undefined ? null : <span title={`Runner ${name}`}>{` · ${name}`}</span>;
}

/** Leads to everything else of the build. */
function BuildNote({ build, tabStop }: { build: string | undefined; tabStop: boolean }) {
	if (build === undefined || build === "") return null;
	return (
		<>
			{" · "}
			<Link
				href={buildPath(build)}
				tabIndex={tabStop ? 0 : -1}
				className="relative z-10 inline-block rounded-sm hover:text-ink hover:underline"
			>{`build ${build}`}</Link>
		</>
	);
}

/** Leads to the comparison, if something that passed has a video. Stands apart from the notes, which are cut off where the card ends. */
function CompareLink({ recording, tabStop }: { recording: Recording; tabStop: boolean }) {
	const { id, kind, name, state, outcome } = recording;
	const isFailedVideo = kind === "video" && state !== "live" && isFailure(outcome);
	const passed = useQuery({ ...lastPassedQuery(id), enabled: isFailedVideo });
	if (!isFailedVideo || passed.data?.recording == null) return null;
	return (
		<Link
			href={comparePath(id)}
			tabIndex={tabStop ? 0 : -1}
			aria-label={`Compare with last passed: ${name}`}
			title="Compare with last passed"
			className="relative z-10 ms-auto flex h-6 shrink-0 items-center gap-1 rounded-sm text-xs text-muted hover:text-ink hover:underline pointer-coarse:h-8 pointer-coarse:ps-2"
		>
			<Columns2 aria-hidden className="size-3.5" />
			Compare
		</Link>
	);
}
