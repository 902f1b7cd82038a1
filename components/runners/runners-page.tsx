"use client";

import { useQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { AddRunnerDialog } from "./add-runner-dialog.tsx";
import { RunnerCard } from "./runner-card.tsx";

const GRID = "grid grid-cols-1 gap-4 p-4 md:p-6 lg:grid-cols-2 2xl:grid-cols-3";

/** The machines that record. */
export function RunnersPage() {
	const runners = useQuery(runnersQuery());
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Runners">
					<AddRunnerDialog />
				</PageHead>
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto">
				{runners.isError ? (
					<Notice tone="danger" alert className="mx-4 mt-4 md:mx-6">
						The runners could not be loaded. {wordsOf(runners.error)}{" "}
						<Button size="small" className="ms-2" onClick={() => void runners.refetch()}>
							Try again
						</Button>
					</Notice>
				) : null}
				{runners.isPending ? (
					<div className={GRID}>
						<Skeleton className="h-44 rounded-lg" />
						<Skeleton className="h-44 rounded-lg" />
					</div>
				) : null}
				{runners.data?.length === 0 ? (
					<EmptyState icon={Server} title="No runner yet">
						A runner is a small program on a Linux machine with X displays. Press “Add runner” above: you get one
						command to paste there, and it appears here by itself.
					</EmptyState>
				) : null}
				{runners.data && runners.data.length > 0 ? (
					<ul aria-label="Runners" className={GRID}>
						{runners.data.map((runner) => (
							<RunnerCard key={runner.id} runner={runner} />
						))}
					</ul>
				) : null}
			</div>
		</div>
	);
}
