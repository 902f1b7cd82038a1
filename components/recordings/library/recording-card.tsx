"use client";

import { clsx } from "clsx";
import { Film, Play } from "lucide-react";
import { memo, useRef, useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Link } from "#components/navigation/link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { formatBytes, formatDuration } from "#lib/client/format.ts";
import { wantToPlay } from "#lib/client/play-intent.ts";
import { posterPath } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { recordingsTexts as texts } from "#lib/texts/recordings.ts";
import { CardScrub, useHoverPart } from "../card-scrub.tsx";
import { RecordingBadges } from "../recording-badges.tsx";

interface Props {
	recording: Recording;
	/** Which one of the list it is, from 1, and of how many; -1 when nobody knows. */
	position: number;
	total: number;
	/** Whether Tab reaches it. */
	tabStop: boolean;
	/** Null for who may not select. */
	selected: boolean | null;
	/** Whether others are selected: then every box is shown. */
	selecting: boolean;
	onFocus(id: number): void;
	/** @param range everything up to here is meant */
	onSelect(id: number, range: boolean): void;
}

/** A recording in the grid. Its name is the link, and the link covers the whole card. */
export const RecordingCard = memo(function RecordingCard(props: Props) {
	const { recording, position, total, tabStop, selected, selecting, onFocus, onSelect } = props;
	const picture = useRef<HTMLDivElement>(null);
	const { part, handlers } = useHoverPart(picture);
	return (
		<li
			aria-setsize={total}
			aria-posinset={position}
			className="group relative scroll-my-4 rounded-lg outline-offset-4 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
			{...handlers}
		>
			<div
				ref={picture}
				className={clsx(
					"relative aspect-video overflow-hidden rounded-lg border bg-inset",
					selected ? "border-accent ring-2 ring-accent" : "border-line",
				)}
			>
				{/* Another key for another state: a poster that was missing may be there now. */}
				<Poster key={recording.state} id={recording.id} />
				<span className="absolute inset-0 grid place-items-center opacity-0 transition-opacity duration-100 group-hover:opacity-100 group-hover:delay-200 group-has-focus-visible:opacity-100">
					<span className="grid size-11 place-items-center rounded-full bg-black/65 text-white">
						<Play aria-hidden className="size-5 translate-x-px fill-current" />
					</span>
				</span>
				<CardScrub recording={recording} part={part} />
				<span className="absolute top-2 start-2 flex max-w-[calc(100%-3.5rem)] flex-wrap gap-1">
					<RecordingBadges recording={recording} />
				</span>
				{recording.state === "live" || part !== null ? null : (
					<span className="absolute end-2 bottom-2 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
						{formatDuration(Math.round(recording.durationSeconds))}
					</span>
				)}
			</div>
			<div className="mt-2 flex h-5 items-center">
				<Link
					href={`/recordings/${recording.id}`}
					prefetch={false}
					data-recording={recording.id}
					tabIndex={tabStop ? 0 : -1}
					onFocus={() => onFocus(recording.id)}
					onClick={() => wantToPlay(recording.id)}
					title={recording.name}
					aria-describedby={`recording-${recording.id}`}
					className="min-w-0 truncate text-sm font-medium outline-none after:absolute after:inset-0"
				>
					{recording.name}
				</Link>
			</div>
			<p id={`recording-${recording.id}`} className="mt-0.5 h-4 truncate text-xs text-muted tabular-nums">
				{formatBytes(recording.bytes)} · <TimeAgo at={recording.createdAt} />
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
						label={texts.select(recording.name)}
						checked={selected}
						tabIndex={tabStop ? 0 : -1}
						onToggle={(range) => onSelect(recording.id, range)}
					/>
				</span>
			)}
		</li>
	);
});

function Poster({ id }: { id: number }) {
	const [missing, setMissing] = useState(false);
	if (missing) {
		return (
			<span className="grid size-full place-items-center">
				<Film aria-hidden className="size-6 text-muted" />
			</span>
		);
	}
	return (
		// biome-ignore lint/performance/noImgElement: a small picture of our own, made once; nothing to optimise
		<img
			src={posterPath(id)}
			alt=""
			loading="lazy"
			decoding="async"
			className="size-full object-cover"
			onError={() => setMissing(true)}
		/>
	);
}
