"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { formatExact, formatOffset } from "#lib/client/format.ts";
import { pollsOf, type ToldPoll } from "#lib/client/job-ending.ts";
import { jobEventsQuery } from "#lib/client/jobs.ts";
import type { Job, JobEvent } from "#lib/contract/job.ts";
import { jobTimelineTexts as texts } from "#lib/texts/job-drawer.ts";
import { lookOf } from "./event-looks.ts";

/** What happened to the job, in order; times count from its first picture, the exact ones are on hover. */
export function JobTimeline({ job }: { job: Job }) {
	const events = useQuery(jobEventsQuery(job.id));
	const start = Date.parse(job.startedAt ?? job.createdAt);
	return (
		<section aria-label={texts.title}>
			<h3 className="mb-2 flex flex-wrap items-baseline gap-x-2 text-sm font-semibold">
				{texts.title}
				<span className="text-xs font-normal text-muted">
					{job.startedAt === null ? texts.relativeToCreation : texts.relativeToStart}
				</span>
			</h3>
			{events.isError ? (
				<Notice tone="danger">
					{texts.notLoaded} {wordsOf(events.error)}
				</Notice>
			) : null}
			{events.isPending ? (
				<div className="flex flex-col gap-3">
					<Skeleton className="h-3 w-2/3" />
					<Skeleton className="h-3 w-1/2" />
				</div>
			) : null}
			<ol className="flex flex-col">
				{events.data?.map((event, index, { length }) => (
					<Entry key={event.id} event={event} start={start} last={index === length - 1} />
				))}
			</ol>
		</section>
	);
}

// Not by `:last-child`: with one such rule for what is inside, every list that gets a neighbour is styled anew.
function Entry({ event, start, last }: { event: JobEvent; start: number; last: boolean }) {
	const { Icon, tone } = lookOf(event.type);
	const polls = pollsOf(event);
	return (
		<li className="relative flex gap-3 pb-3 text-sm">
			<span aria-hidden className="relative w-4 shrink-0">
				<Icon className={clsx("absolute top-0.5 start-0 size-4", tone)} />
				{last ? null : <span className="absolute top-5.5 -bottom-2.5 start-[7.5px] w-px bg-line" />}
			</span>
			<Moment at={event.at} start={start} />
			<div className="min-w-0 flex-1">
				<p className="break-words">{event.message}</p>
				{polls.length > 0 ? <Polls polls={polls} all={allPolls(event, polls)} start={start} /> : null}
			</div>
		</li>
	);
}

const Moment = ({ at, start }: { at: string; start: number }) => (
	<time
		dateTime={at}
		title={formatExact(at)}
		className="w-15 shrink-0 text-end text-xs leading-5 whitespace-nowrap text-muted tabular-nums"
	>
		{formatOffset((Date.parse(at) - start) / 1000)}
	</time>
);

/** A row of polls keeps its first and its last ones; how many it was is told beside them. */
const allPolls = (event: JobEvent, polls: ToldPoll[]): number =>
	typeof event.data.zeros === "number" ? Math.max(event.data.zeros, polls.length) : polls.length;

/** The polls behind an event, folded up: who doubts it looks at them. */
const Polls = ({ polls, all, start }: { polls: ToldPoll[]; all: number; start: number }) => (
	<details className="text-xs text-muted">
		<summary className="w-fit rounded-sm leading-5 hover:text-ink">{texts.pollsShown(polls.length, all)}</summary>
		<ol className="mt-1 flex flex-col gap-0.5">
			{polls.map((poll) => (
				<li key={poll.at} className="flex gap-3 tabular-nums">
					<Moment at={poll.at} start={start} />
					<span className="min-w-0 break-words leading-5">
						{pollWords(poll)}
						{" · "}
						{texts.took(poll.tookMs)}
					</span>
				</li>
			))}
		</ol>
	</details>
);

function pollWords(poll: ToldPoll): string {
	if (poll.active !== null) return texts.sessions(poll.active);
	if (poll.status !== null) return texts.refused(poll.status);
	return poll.why ?? poll.seen;
}
