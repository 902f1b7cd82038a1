"use client";

import { useQuery } from "@tanstack/react-query";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { ServerOff } from "lucide-react";
import { usePathname } from "next/navigation";
import { Link } from "#components/navigation/link.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { counted, formatSpan, isolated } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";

/** The pages that show jobs which may be waiting. */
const PAGES = /^\/(jobs|runners)(\/|$)/;

/** Says that a runner is offline while jobs wait for it. */
export function WaitingAlert() {
	const runners = useQuery(runnersQuery()).data;
	const isHere = PAGES.test(usePathname());
	const waited = (runners ?? []).filter((runner) => runner.state === "offline" && runner.waitingJobIds.length > 0);
	return <div role="status">{isHere ? <WaitingJobs runners={waited} /> : null}</div>;
}

/** The runners that are offline while jobs wait for them, the one with the most of them first. */
function WaitingJobs({ runners }: { runners: readonly Runner[] }) {
	const [first, ...others] = [...runners].sort((a, b) => b.waitingJobIds.length - a.waitingJobIds.length);
	if (first === undefined) return null;
	return (
		<div className="flex items-start gap-2.5 border-b border-warn/30 bg-soft-warn px-4 py-2 text-sm md:px-6">
			<ServerOff aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
			<p className="min-w-0 break-words">
				<Sentence runner={first} />{" "}
				<span className="max-md:hidden">Start it again on its machine, or cancel the jobs. </span>
				<Link href={`/jobs?status=queued&runnerId=${first.id}`} className="underline underline-offset-2">
					Show them
					<span className="sr-only"> {`(the jobs that wait for ${first.name})`}</span>
				</Link>
				{others.length > 0 ? (
					<>
						{" · "}
						{`${counted(others.length, "more runner is", "more runners are")} offline with jobs waiting.`}{" "}
						<Link href="/runners" className="underline underline-offset-2">
							Show runners
						</Link>
					</>
				) : null}
			</p>
		</div>
	);
}

function Sentence({ runner }: { runner: Runner }) {
	const now = useNow();
	const { lastSeenAt } = runner;
	const offlineFor = lastSeenAt === null ? null : formatSpan(Math.max(0, now - Date.parse(lastSeenAt)) / 1000);
	return (
		// It ticks, which is not to be read out each time.
		<strong aria-live="off" className="font-semibold tabular-nums">
			{`${isolated(runner.name)} ${offlineFor === null ? "is offline" : `has been offline for ${offlineFor}`}; ${counted(runner.waitingJobIds.length, "job is", "jobs are")} waiting for it.`}
		</strong>
	);
}
