"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { hasFilters, type JobFilters } from "#lib/client/job-filters.ts";
import { useOnboarding } from "../onboarding/use-onboarding.ts";
import { JobsEmpty } from "./jobs-empty.tsx";

// Most people never see it.
const loadOnboarding = () => import("../onboarding/onboarding.tsx").then((module) => module.Onboarding);

interface Props {
	filters: JobFilters;
	/** Those that match the filters, as far as they are loaded. */
	jobs: readonly Job[];
	/** The last page is loaded. */
	isWhole: boolean;
	hasRunners: boolean;
	onOpen(id: number, from: HTMLElement | null): void;
	onClearFilters(): void;
}

/** What stands below the rows: the onboarding, else why there is no row. */
export function JobsFoot({ filters, jobs, isWhole, hasRunners, onOpen, onClearFilters }: Props) {
	const [isNew, dismiss] = useOnboarding(isWhole && !hasFilters(filters) ? jobs : undefined);
	const Onboarding = useEagerLazyModule(loadOnboarding, isNew);
	if (isNew) return Onboarding === null ? null : <Onboarding jobs={jobs} onOpen={onOpen} onDone={dismiss} />;
	// Not yet: a search may have looked at many jobs for a page and found none, and goes on.
	if (jobs.length > 0 || (!isWhole && hasFilters(filters))) return null;
	return <JobsEmpty filters={filters} hasRunners={hasRunners} onClearFilters={onClearFilters} />;
}
