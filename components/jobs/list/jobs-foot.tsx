"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { ListVideo, Server } from "lucide-react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { NoMatches } from "#components/search/no-matches.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { hasFilters, type JobFilters } from "#lib/client/job-filters.ts";
import { useOnboarding } from "../onboarding/use-onboarding.ts";

// Most people never see it.
const loadOnboarding = () => import("../onboarding/onboarding.tsx").then((module) => module.Onboarding);

interface Props {
	filters: JobFilters;
	/** Loaded jobs that match the filters. */
	jobs: readonly Job[];
	/** The last page is loaded. */
	isWhole: boolean;
	hasRunners: boolean;
	onOpen(id: number, from: HTMLElement | null): void;
	onClearFilters(): void;
}

/** The area below the rows: the onboarding, or the reason why there are no rows. */
export function JobsFoot({ filters, jobs, isWhole, hasRunners, onOpen, onClearFilters }: Props) {
	const [isNew, dismiss] = useOnboarding(isWhole && !hasFilters(filters) ? jobs : undefined);
	const Onboarding = useEagerLazyModule(loadOnboarding, isNew);
	if (isNew) return Onboarding === null ? null : <Onboarding jobs={jobs} onOpen={onOpen} onDone={dismiss} />;
	// Not yet: a search may have read many jobs without a match, and continues.
	if (jobs.length > 0 || (!isWhole && hasFilters(filters))) return null;
	return <JobsEmpty filters={filters} hasRunners={hasRunners} onClearFilters={onClearFilters} />;
}

/** An empty list says why it is empty, and what to do next. */
function JobsEmpty({ filters, hasRunners, onClearFilters }: Pick<Props, "filters" | "hasRunners" | "onClearFilters">) {
	const mayWrite = useCan("jobs:write");
	if (hasFilters(filters))
		return <NoMatches what="jobs" path="/v1/jobs" q={filters.q} onClearFilters={onClearFilters} />;
	if (!hasRunners) {
		return (
			<EmptyState
				icon={Server}
				title="Add a runner first"
				actions={
					<Link href="/runners" className={buttonClass("primary")}>
						Go to runners
					</Link>
				}
			>
				Jobs record the displays of a runner. To add one, run a single command on the machine with the display.
			</EmptyState>
		);
	}
	return (
		<EmptyState icon={ListVideo} title="No jobs yet">
			A job records one display until its stop condition ends it.{" "}
			{mayWrite ? "Click “New job” above, or create one with curl: the form shows the command." : null}
		</EmptyState>
	);
}
