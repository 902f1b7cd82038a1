"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useCan } from "#components/account/use-session.ts";
import { BuildRow } from "#components/builds/build-row.tsx";
import { buildsQuery } from "#components/builds/builds.ts";
import { Link } from "#components/navigation/link.tsx";
import { testResultsQuery } from "#components/tests/tests.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { jobsQuery, recordingNowQuery } from "#lib/client/jobs.ts";
import { recordingsQuery } from "#lib/client/recordings.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { storageQuery } from "#lib/client/storage.ts";
import { Attention } from "./attention.tsx";
import { FirstResult } from "./first-result.tsx";
import { BOX, Calm, HomeSection } from "./home-section.tsx";
import { NewFailures, newFailuresQuery } from "./new-failures.tsx";
import { RecordingNow } from "./recording-now.tsx";

/** The overview of an organization. Without any results, it shows the ways to the first one. */
export function HomePage() {
	const isNew = useIsNew();
	const isReady = useIsReady() && isNew !== null;
	const mayRecord = useCan("jobs:write");
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas [scrollbar-gutter:stable]">
			<div className="mx-auto flex max-w-[1500px] flex-col gap-5 p-4 md:p-6">
				<PageHead title="Home">
					{mayRecord ? (
						<Link href="/jobs?new=1" className={buttonClass("primary")}>
							<Plus aria-hidden className="size-4" />
							New job
						</Link>
					) : null}
				</PageHead>
				{isReady ? isNew ? <FirstResult /> : <Overview /> : <Waiting />}
			</div>
		</div>
	);
}

const Overview = () => (
	<div className="grid items-start gap-x-6 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
		<NewFailures />
		<div className="flex min-w-0 flex-col gap-8 lg:col-start-2 lg:row-span-2 lg:row-start-1">
			<RecordingNow />
			<Attention />
		</div>
		<LastBuilds />
	</div>
);

const Waiting = () => (
	<div aria-hidden className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
		<Skeleton className="h-72 rounded-lg" />
		<Skeleton className="h-72 rounded-lg" />
	</div>
);

/** Whether every part has been fetched, or could not be: parts that come one after the other would move each other. */
function useIsReady(): boolean {
	const queries = [
		useQuery(newFailuresQuery),
		useQuery(runnersQuery()),
		useQuery(storageQuery()),
		useInfiniteQuery(recordingNowQuery()),
	];
	return queries.every(({ isPending }) => !isPending);
}

/** Whether nothing has been recorded, uploaded or reported yet; null while that is unknown. Jobs outlive their recordings. */
function useIsNew(): boolean | null {
	const builds = useInfiniteQuery(buildsQuery(""));
	const jobs = useInfiniteQuery({ ...jobsQuery({}), enabled: hasNone(builds) });
	const recordings = useInfiniteQuery({ ...recordingsQuery({}), enabled: hasNone(jobs) });
	const results = useInfiniteQuery({ ...testResultsQuery({}, 1), enabled: hasNone(recordings) });
	const all = [builds, jobs, recordings, results];
	if (all.every(hasNone)) return true;
	return all.some(({ isError, data }) => isError || hasSome(data)) ? false : null;
}

interface Loaded {
	pages: readonly { data: readonly unknown[] }[];
}
const hasSome = (loaded: Loaded | undefined): boolean => loaded?.pages.some(({ data }) => data.length > 0) === true;
const hasNone = ({ data, isSuccess }: { data: Loaded | undefined; isSuccess: boolean }): boolean =>
	isSuccess && !hasSome(data);

const SHOWN = 6;

/** The builds with the newest results. */
function LastBuilds() {
	const list = useInfiniteQuery(buildsQuery(""));
	const builds = list.data?.pages[0]?.data.slice(0, SHOWN) ?? [];
	return (
		<HomeSection title="Last builds" more={{ href: "/builds", name: "All builds" }} className="min-w-0">
			<NotLoaded what="the builds" of={list} />
			{list.isSuccess && builds.length === 0 ? (
				<Calm>
					<p>
						Jobs, recordings and test runs that share a <code>build</code> label are grouped here.{" "}
						<a href="/docs/guides/finding#builds" className="text-accent underline underline-offset-2">
							How to name a build
						</a>
					</p>
				</Calm>
			) : null}
			{builds.length === 0 ? null : (
				<ul aria-label="Builds" className={BOX}>
					{builds.map((build) => (
						<BuildRow key={build.build} build={build} />
					))}
				</ul>
			)}
		</HomeSection>
	);
}
