"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { TestRun } from "@tapedeck/contract/test-run.ts";
import { useState } from "react";
import { ResultIcon } from "#components/tests/result-icon.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { counted } from "#lib/client/format.ts";
import { testRunsQuery } from "./builds.ts";

/** The test runs of a build: their results have no job and no video. */
export function BuildRuns({ build }: { build: string }) {
	const list = useInfiniteQuery(testRunsQuery(build));
	const runs = list.data?.pages.flatMap(({ data }) => data) ?? [];
	return (
		<div className="p-4 md:p-6">
			<NotLoaded what="the test runs" of={list} />
			{list.isPending ? <Skeleton className="h-20 rounded-lg" /> : null}
			{runs.length > 0 ? (
				<ul aria-label="Test runs" className="overflow-hidden rounded-lg border border-line bg-surface">
					{runs.map((run) => (
						<RunLine key={run.id} run={run} />
					))}
				</ul>
			) : null}
			<ShowMore list={list} className="mt-4" />
		</div>
	);
}

const loadAttachments = () =>
	import("#components/tests/result-attachments.tsx").then((module) => module.RunAttachments);

function RunLine({ run }: { run: TestRun }) {
	const { id, name, source, outcome, isAbandoned, results, attachmentCount, createdAt } = run;
	const [isOpen, setOpen] = useState(false);
	const failed = results.failed + results.error;
	const details = [
		source,
		counted(results.all, "result", "results"),
		failed > 0 ? `${failed} failed` : null,
		isAbandoned ? "never ended" : null,
	].filter((part) => part !== null);
	return (
		<li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2.5 last:border-b-0 md:px-4">
			<span className="inline-flex w-36 shrink-0 items-center gap-1.5 text-xs font-medium">
				<ResultIcon result={run} className="size-4" />
				{WORDS[outcome ?? "running"]}
			</span>
			<span className="min-w-0 flex-1 basis-48 truncate text-sm font-medium" title={name}>
				{name}
			</span>
			<span className="text-xs text-muted tabular-nums">
				{`${details.join(" · ")} · `}
				<TimeAgo at={createdAt} />
			</span>
			{attachmentCount === 0 ? null : (
				<details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="w-full">
					<summary className="min-h-6 w-fit cursor-pointer text-xs text-muted">
						{counted(attachmentCount, "attachment", "attachments")}
					</summary>
					{isOpen ? (
						<div className="py-2">
							<LazyContent load={loadAttachments} testRunId={id} />
						</div>
					) : null}
				</details>
			)}
		</li>
	);
}

const WORDS = { passed: "Passed", failed: "Failed", error: "Error", skipped: "Skipped", running: "Running" };
