"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { AgentBadge } from "#components/recordings/agent-badge.tsx";
import { DeletionNote } from "#components/recordings/deletion-note.tsx";
import { VerdictBadge } from "#components/recordings/verdict.tsx";
import { MatchedLine } from "#components/search/matched-line.tsx";
import { posterPath } from "#lib/client/recordings.ts";
import { JobCondition } from "./job-condition.tsx";
import { APART, isShort, type Layout } from "./layout.ts";

interface Props {
	job: Job;
	layout: Layout;
	tabStop: boolean;
}

/** A frame of the video, the job's name, what is odd about the video, and below them where it belongs. */
export function JobNameCell({ job, layout, tabStop }: Props) {
	const isCard = layout === "cards";
	return (
		<span className="flex items-center gap-3">
			{isCard && frameOf(job) === null ? null : <Thumbnail job={job} />}
			<span className="min-w-0 flex-1">
				<span className="flex items-center gap-2 md:leading-4">
					<a
						href={`/jobs/${job.id}`}
						data-job={job.id}
						tabIndex={tabStop ? undefined : -1}
						title={job.name}
						className="-mt-1.5 -mb-0.5 block min-w-0 truncate rounded-sm pt-1.5 pb-0.5 font-medium hover:underline"
					>
						{job.name}
					</a>
					{isCard ? null : <VerdictBadge narrow verdict={job.recording?.verdict} />}
					<AgentBadge labels={job.labels} />
				</span>
				{isCard ? null : <SecondLine job={job} layout={layout} tabStop={tabStop} />}
			</span>
		</span>
	);
}

/** In narrow lists, nothing stands below the name of a job without labels. */
function SecondLine({ job, layout, tabStop }: Props) {
	const showsCondition = isShort(layout);
	const hasMore = hasPlace(job);
	if (!hasMore && !showsCondition) return null;
	return (
		<span className="block truncate text-xs leading-3.5 text-muted">
			<JobPlace job={job} tabStop={tabStop} />
			{hasMore && showsCondition ? " · " : null}
			{showsCondition ? <JobCondition job={job} /> : null}
		</span>
	);
}

/** When its video is deleted, and the line that a search found, or else its build and its branch. */
export function JobPlace({ job, tabStop }: Pick<Props, "job" | "tabStop">) {
	const { id, deleteAt } = job.recording ?? { id: 0, deleteAt: null };
	const place = job.matchedLine ?? placeOf(job);
	return (
		<>
			{deleteAt !== null ? (
				<span {...{ [APART]: true }}>
					<DeletionNote recordingId={id} name={job.name} at={deleteAt} tabStop={tabStop} />
					{place === "" ? "" : " · "}
				</span>
			) : null}
			{job.matchedLine === undefined ? place : <MatchedLine text={place} />}
		</>
	);
}

/** The job's build and branch; empty without both. */
const placeOf = ({ labels: { build, branch } }: Job): string =>
	[build && `build ${build}`, branch].filter(Boolean).join(" · ");

/** Whether `JobPlace` has something to show. */
export const hasPlace = (job: Job): boolean =>
	job.matchedLine !== undefined || placeOf(job) !== "" || (job.recording?.deleteAt ?? null) !== null;

/** Rows that only fly past while the list scrolls ask for no picture. */
const AT_REST_MS = 120;

/** The finished recording of which a frame is shown. */
const frameOf = ({ recording }: Job): number | null =>
	recording === null || recording.state === "live" ? null : recording.id;

/**
 * A frame of a finished recording. In the table, the place is kept for those that have none, so that names stand below
 * each other.
 */
function Thumbnail({ job }: Pick<Props, "job">) {
	const [isAtRest, setAtRest] = useState(false);
	const [missing, setMissing] = useState<number | null>(null);
	useEffect(() => {
		const timer = setTimeout(() => setAtRest(true), AT_REST_MS);
		return () => clearTimeout(timer);
	}, []);
	const id = frameOf(job);
	return (
		<span className={clsx("h-7 w-12 shrink-0 overflow-hidden rounded-sm", id !== null && "bg-inset")}>
			{id !== null && isAtRest && missing !== id ? (
				// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
				<img
					src={posterPath(id)}
					alt=""
					decoding="async"
					className="size-full object-cover"
					onError={() => setMissing(id)}
				/>
			) : null}
		</span>
	);
}
