"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useState } from "react";
import { formatClock, formatDuration, formatExact, formatInstant } from "#lib/client/format.ts";
import { jobQuery } from "#lib/client/jobs.ts";
import { CLOCKS, type PlayerClock as Clock, rememberClock, rememberedClock } from "#lib/client/player-memory.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { playerTexts as texts } from "#lib/texts/player.ts";

/** When the first frame was captured, in milliseconds since 1970; null for a video that was made elsewhere. */
export function useStartedAt({ jobId }: Pick<Recording, "jobId">): number | null {
	const job = useQuery({ ...jobQuery(jobId ?? 0), enabled: jobId !== null }).data;
	return job?.startedAt ? Date.parse(job.startedAt) : null;
}

interface Props {
	seconds: number;
	durationSeconds: number;
	startedAt: number | null;
	/** Room for the time of day beside it. */
	wide: boolean;
}

/** How far the video is; a click shows what is left, or what time it was when this was on the screen. */
export function PlayerClock({ seconds, durationSeconds, startedAt, wide }: Props) {
	const [chosen, setChosen] = useState<Clock>(rememberedClock);
	const clocks = CLOCKS.filter((clock) => clock !== "time" || (startedAt !== null && !wide));
	const clock = clocks.includes(chosen) ? chosen : "elapsed";
	const next = clocks[(clocks.indexOf(clock) + 1) % clocks.length] ?? "elapsed";
	const turn = () => {
		setChosen(next);
		rememberClock(next);
	};
	return (
		<span className="flex min-w-0 items-center gap-2 text-xs tabular-nums">
			<button
				type="button"
				title={texts.clock(texts.clockShows[next])}
				onClick={turn}
				className="h-8 rounded-md px-2 whitespace-nowrap text-ink hover:bg-hover"
			>
				{clock === "time" && startedAt !== null ? (
					<WallClock at={startedAt + seconds * 1000} />
				) : clock === "remaining" ? (
					texts.left(formatInstant(Math.max(0, durationSeconds - seconds)))
				) : (
					texts.ofLength(formatInstant(seconds), formatDuration(Math.round(durationSeconds)))
				)}
			</button>
			{wide && startedAt !== null ? <WallClock at={startedAt + seconds * 1000} muted /> : null}
		</span>
	);
}

function WallClock({ at, muted }: { at: number; muted?: boolean }) {
	const utc = new Date(at).toISOString();
	const tenth = Math.floor((at % 1000) / 100);
	return (
		<time
			dateTime={utc}
			title={texts.wallClock(formatExact(at), utc)}
			className={clsx("whitespace-nowrap", muted && "text-muted")}
		>
			{texts.withTenth(formatClock(at), tenth)}
		</time>
	);
}
