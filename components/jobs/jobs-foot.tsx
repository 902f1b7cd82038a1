"use client";

import { useWantedPart } from "#components/ui/use-part.ts";
import { hasFilters, type JobFilters } from "#lib/client/job-filters.ts";
import type { Job } from "#lib/contract/job.ts";
import { JobsEmpty } from "./jobs-empty.tsx";
import { useNewcomer } from "./use-newcomer.ts";

// Few ever see it, and those once.
const loadNewcomers = () => import("./newcomers.tsx").then((module) => module.Newcomers);

interface Props {
	filters: JobFilters;
	/** Those that fit the filters, as far as they are loaded. */
	jobs: readonly Job[];
	/** There are no more of them. */
	isWhole: boolean;
	hasRunners: boolean;
	onOpen(id: number, from: HTMLElement | null): void;
	onClearFilters(): void;
}

/** What stands below the rows: the first steps of newcomers, else why there is no row. */
export function JobsFoot({ filters, jobs, isWhole, hasRunners, onOpen, onClearFilters }: Props) {
	const [isNew, dismiss] = useNewcomer(isWhole && !hasFilters(filters) ? jobs : undefined);
	const Newcomers = useWantedPart(loadNewcomers, isNew);
	if (isNew) return Newcomers === null ? null : <Newcomers jobs={jobs} onOpen={onOpen} onDone={dismiss} />;
	if (jobs.length > 0) return null;
	return <JobsEmpty filters={filters} hasRunners={hasRunners} onClearFilters={onClearFilters} />;
}
