"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "#components/navigation/link.tsx";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { VerdictBadge } from "#components/recordings/verdict.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { posterPath, recordingsQuery } from "#lib/client/recordings.ts";

/** Lists all recordings of the last week, including seen ones: a test can pass although its video is blank. */
const BLACK_OR_FROZEN = { verdict: ["black", "frozen"], age: "7d" } as const;

/** Videos that show nothing, which no test reports. */
export function BlackOrFrozenVideos() {
	const list = useInfiniteQuery(recordingsQuery({ verdict: [...BLACK_OR_FROZEN.verdict], age: BLACK_OR_FROZEN.age }));
	const recordings = list.data?.pages[0]?.data ?? [];
	if (recordings.length === 0) return null;
	return (
		<section aria-label="Black or frozen videos" className="mt-8">
			<div className="mb-2 flex items-baseline gap-3">
				<h2 className="text-sm leading-6 font-semibold">Black or frozen videos</h2>
				<Link
					href="/recordings?verdict=black&verdict=frozen"
					className="rounded-sm text-sm leading-6 text-accent underline underline-offset-2"
				>
					All of them
				</Link>
			</div>
			<ul className="overflow-hidden rounded-lg border border-line bg-surface">
				{recordings.map((recording) => (
					<li
						key={recording.id}
						className="relative flex items-center gap-3 border-b border-line px-3 py-2 last:border-b-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent"
					>
						{/* biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise */}
						<img
							src={posterPath(recording.id)}
							alt=""
							loading="lazy"
							decoding="async"
							className="aspect-video w-20 shrink-0 rounded border border-line bg-inset object-contain"
						/>
						<div className="min-w-0 flex-1">
							<Link
								href={`/recordings/${recording.id}`}
								onClick={() => requestPlay(recording.id)}
								className="block truncate text-sm font-medium outline-none after:absolute after:inset-0"
							>
								{recording.name}
							</Link>
							<p className="text-xs text-muted tabular-nums">
								{recording.labels.build === undefined ? null : `build ${recording.labels.build} · `}
								<TimeAgo at={recording.createdAt} />
							</p>
						</div>
						<VerdictBadge verdict={recording.verdict} />
					</li>
				))}
			</ul>
		</section>
	);
}
