"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { BuildRow } from "#components/builds/build-row.tsx";
import { buildsQuery } from "#components/builds/builds.ts";
import { NotLoaded } from "#components/ui/notice.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { BOX, Calm, HomeSection } from "./home-section.tsx";

const SHOWN = 6;

/** The builds with the newest results. */
export function LastBuilds() {
	const list = useInfiniteQuery(buildsQuery(""));
	const builds = list.data?.pages[0]?.data.slice(0, SHOWN) ?? [];
	return (
		<HomeSection title="Last builds" more={{ href: "/builds", name: "All builds" }} className="min-w-0">
			{list.isError ? (
				<NotLoaded why={`Couldn't load the builds. ${errorMessage(list.error)}`} onRetry={() => void list.refetch()} />
			) : null}
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
