"use client";

import { useQuery } from "@tanstack/react-query";
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import type { FailureGroup } from "@tapedeck/contract/test-failure.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { failurePath } from "#components/failures/failure-path.ts";
import { failureGroupsQuery, hasVideos, useMarkGroupSeen } from "#components/failures/failures.ts";
import { Link } from "#components/navigation/link.tsx";
import { useRememberedList } from "#components/recordings/last-list.ts";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { FailureImage } from "#components/tests/failure-image.tsx";
import { Sparkline } from "#components/tests/sparkline.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { counted, failedTests } from "#lib/client/format.ts";
import { BOX, Calm, HomeSection, ROW, ROW_LINK } from "./home-section.tsx";

/** Groups that are looked through for failures that the user has not seen. */
const MOST_GROUPS = 50;
const SHOWN = 6;

export const newFailuresQuery = failureGroupsQuery({
	by: "cause",
	q: "",
	muted: false,
	limit: MOST_GROUPS,
	failedAfter: new Date(0).toISOString(),
});

/** Failures since the user looked, by cause. Opening one marks it as seen, as on the page Failures. */
export function NewFailures() {
	const list = useQuery(newFailuresQuery);
	const markSeen = useMarkGroupSeen("cause");
	const groups = list.data?.data.filter(({ unseen }) => unseen > 0) ?? [];
	const shown = groups.slice(0, SHOWN);
	useRememberedList({
		name: "Home",
		href: "/",
		items: shown.flatMap(({ newest }) =>
			newest.recordingId === null ? [] : [{ id: newest.recordingId, path: failurePath(newest) }],
		),
	});
	const left = groups.length - shown.length;
	const hasFrames = hasVideos(shown);
	return (
		<HomeSection title="Failed since you looked" more={{ href: "/failures", name: "All failures" }}>
			<NotLoaded what="the failures" of={list} />
			{list.isSuccess && shown.length === 0 ? (
				<Calm>
					<CircleCheck aria-hidden className="text-ok" />
					<p>No test failed since you looked.</p>
				</Calm>
			) : null}
			{shown.length === 0 ? null : (
				<ul aria-label="Failures" className={BOX}>
					{shown.map((group) => (
						<Row key={group.key ?? ""} group={group} hasFrame={hasFrames} onOpen={() => markSeen(group)} />
					))}
				</ul>
			)}
			{left > 0 ? (
				<p className="mt-2 text-sm text-muted">{`and ${counted(left, "more cause", "more causes")}`}</p>
			) : null}
		</HomeSection>
	);
}

function Row({ group, hasFrame, onOpen }: { group: FailureGroup; hasFrame: boolean; onOpen(): void }) {
	const { newest, title, tests, failures } = group;
	const about = aboutFailure(newest);
	return (
		<li className={ROW}>
			{hasFrame ? <Frame key={newest.id} result={newest} /> : null}
			<div className="flex min-w-0 flex-1 flex-col gap-1">
				<h3 className="min-w-0">
					<Link
						href={failurePath(newest)}
						onClick={() => {
							onOpen();
							if (newest.recordingId !== null) requestPlay(newest.recordingId);
						}}
						className={clsx(
							ROW_LINK,
							"line-clamp-2 font-semibold break-words",
							newest.message === null ? "text-sm" : "font-mono text-[13px] leading-5",
						)}
					>
						{title}
					</Link>
				</h3>
				<div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted tabular-nums">
					<span className="font-medium text-danger">{failedTests(tests, failures)}</span>
					{group.new > 0 ? <span className="font-medium text-accent">{`${group.new} new`}</span> : null}
					<Sparkline results={group.recent} />
				</div>
				<p className="truncate text-xs text-muted tabular-nums" title={newest.test}>
					<TimeAgo at={group.lastAt} isAbout={newest.isApproximate} />
					{about === null ? "" : ` · ${about}`}
					{` · ${newest.test}`}
				</p>
			</div>
		</li>
	);
}

/** The screen at the failure; a wide window has space for it. */
function Frame({ result: { id, hasFrame, recordingId } }: { result: TestResult }) {
	const [isMissing, setMissing] = useState(false);
	return (
		<div className="flex aspect-video w-32 shrink-0 items-center justify-center self-start overflow-hidden rounded-md border border-line bg-inset text-xs text-muted max-sm:hidden">
			{hasFrame && !isMissing ? <FailureImage id={id} onMissing={() => setMissing(true)} /> : null}
			{!hasFrame && recordingId === null ? "No video" : null}
		</div>
	);
}
