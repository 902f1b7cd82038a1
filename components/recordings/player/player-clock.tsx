"use client";

import { useQuery } from "@tanstack/react-query";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { formatDuration, formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { useState } from "react";
import { formatClock, formatExact } from "#lib/client/format.ts";
import { jobQuery } from "#lib/client/jobs.ts";
import { CLOCKS, type ClockMode, saveClock, savedClock } from "./player-preferences.ts";
import { usePlayerState } from "./use-player.tsx";

/** When the first frame was captured, in milliseconds since 1970; null for an uploaded video. */
export function useStartedAt({ jobId }: Pick<Recording, "jobId">): number | null {
	const job = useQuery({ ...jobQuery(jobId ?? 0), enabled: jobId !== null }).data;
	return job?.startedAt ? Date.parse(job.startedAt) : null;
}

const MODES: Record<ClockMode, string> = {
	elapsed: "Show elapsed time",
	remaining: "Show time left",
	time: "Show time of day",
};

interface Props {
	startedAt: number | null;
	/** Whether there is space for the time of day. */
	wide: boolean;
}

/** The position; a click switches to the time left, or the time of day at which this frame was captured. */
export function PlayerClock({ startedAt, wide }: Props) {
	const seconds = usePlayerState((state) => state.seconds);
	const durationSeconds = usePlayerState((state) => state.durationSeconds);
	const [chosen, setChosen] = useState<ClockMode>(savedClock);
	const modes = CLOCKS.filter((mode) => mode !== "time" || (startedAt !== null && !wide));
	const mode = modes.includes(chosen) ? chosen : "elapsed";
	const next = modes[(modes.indexOf(mode) + 1) % modes.length] ?? "elapsed";
	const switchMode = () => {
		setChosen(next);
		saveClock(next);
	};
	return (
		<span className="flex min-w-0 items-center gap-2 text-xs tabular-nums">
			<button
				type="button"
				title={MODES[next]}
				onClick={switchMode}
				className="h-8 rounded-md px-2 whitespace-nowrap text-ink hover:bg-hover"
			>
				{mode === "time" && startedAt !== null ? (
					<TimeOfDay at={startedAt + seconds * 1000} />
				) : mode === "remaining" ? (
					`−${formatInstant(Math.max(0, durationSeconds - seconds))}`
				) : (
					`${formatInstant(seconds)} / ${formatDuration(durationSeconds)}`
				)}
			</button>
			{wide && startedAt !== null ? <TimeOfDay at={startedAt + seconds * 1000} muted /> : null}
		</span>
	);
}

function TimeOfDay({ at, muted }: { at: number; muted?: boolean }) {
	const utc = new Date(at).toISOString();
	return (
		<time
			dateTime={utc}
			title={`When this was on screen: ${formatExact(at)} (${utc})`}
			className={clsx("whitespace-nowrap", muted && "text-muted")}
		>
			{`${formatClock(at)}.${Math.floor((at % 1000) / 100)}`}
		</time>
	);
}
