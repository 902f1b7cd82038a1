"use client";

import { Film, Play } from "lucide-react";
import Link from "next/link";
import { useRef, useState } from "react";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { formatBytes, formatDuration } from "#lib/client/format.ts";
import { wantToPlay } from "#lib/client/play-intent.ts";
import { posterPath } from "#lib/client/recordings.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { CardScrub, useHoverPart } from "./card-scrub.tsx";
import { RecordingBadges } from "./recording-badges.tsx";

/** A recording in the grid. Its name is the link, and the link covers the whole card. */
export function RecordingCard({ recording }: { recording: Recording }) {
	const live = recording.state === "live";
	const picture = useRef<HTMLDivElement>(null);
	const { part, handlers } = useHoverPart(picture);
	return (
		<li
			className="group relative rounded-lg outline-offset-4 has-focus-visible:outline-2 has-focus-visible:outline-accent"
			{...handlers}
		>
			<div ref={picture} className="relative aspect-video overflow-hidden rounded-lg border border-line bg-inset">
				{/* Another key for another state: a poster that was missing may be there now. */}
				<Poster key={recording.state} id={recording.id} />
				<span className="absolute inset-0 grid place-items-center opacity-0 transition-opacity duration-100 group-hover:opacity-100 group-hover:delay-200 group-has-focus-visible:opacity-100">
					<span className="grid size-11 place-items-center rounded-full bg-black/65 text-white">
						<Play aria-hidden className="size-5 translate-x-px fill-current" />
					</span>
				</span>
				<span className="absolute top-2 start-2 flex max-w-full flex-wrap gap-1">
					<RecordingBadges recording={recording} />
				</span>
				{live ? null : (
					<span className="absolute end-2 bottom-2 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
						{formatDuration(Math.round(recording.durationSeconds))}
					</span>
				)}
				<CardScrub recording={recording} part={part} />
			</div>
			<div className="mt-2 flex items-start">
				<Link
					href={`/recordings/${recording.id}`}
					prefetch={false}
					onClick={() => wantToPlay(recording.id)}
					title={recording.name}
					aria-describedby={`recording-${recording.id}`}
					className="min-w-0 truncate text-sm font-medium outline-none after:absolute after:inset-0"
				>
					{recording.name}
				</Link>
			</div>
			<p id={`recording-${recording.id}`} className="mt-0.5 text-xs text-muted tabular-nums">
				{formatBytes(recording.bytes)} · <TimeAgo at={recording.createdAt} />
			</p>
		</li>
	);
}

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
