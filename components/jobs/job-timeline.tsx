"use client";

import { useQuery } from "@tanstack/react-query";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { formatClock, formatExact } from "#lib/client/format.ts";
import { jobEventsQuery } from "#lib/client/jobs.ts";

/** What happened to the job, in order. */
export function JobTimeline({ jobId }: { jobId: number }) {
	const events = useQuery(jobEventsQuery(jobId));
	return (
		<section aria-label="Events">
			<h3 className="mb-2 text-sm font-semibold">Events</h3>
			{events.isError ? <Notice tone="danger">The events could not be loaded. {wordsOf(events.error)}</Notice> : null}
			{events.isPending ? (
				<div className="flex flex-col gap-3">
					<Skeleton className="h-3 w-2/3" />
					<Skeleton className="h-3 w-1/2" />
				</div>
			) : null}
			<ol className="flex flex-col">
				{events.data?.map((event) => (
					<li key={event.id} className="group relative flex gap-3 pb-3 text-sm">
						<span aria-hidden className="relative w-2 shrink-0">
							<span className="absolute top-1.5 start-0 size-2 rounded-full border-2 border-line-strong bg-surface" />
							<span className="absolute top-4.5 -bottom-2.5 start-[3px] w-px bg-line group-last:hidden" />
						</span>
						<time
							dateTime={event.at}
							title={formatExact(event.at)}
							className="w-14 shrink-0 text-xs whitespace-nowrap leading-5 text-muted tabular-nums"
						>
							{formatClock(event.at)}
						</time>
						<span className="min-w-0 break-words">{event.message}</span>
					</li>
				))}
			</ol>
		</section>
	);
}
