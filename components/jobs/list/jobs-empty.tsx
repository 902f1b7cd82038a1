"use client";

import { ListVideo, Server } from "lucide-react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { NoMatches } from "#components/search/no-matches.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { hasFilters, type JobFilters } from "#lib/client/job-filters.ts";

interface Props {
	filters: JobFilters;
	hasRunners: boolean;
	onClearFilters(): void;
}

/** An empty list says why it is empty, and what to do next. */
export function JobsEmpty({ filters, hasRunners, onClearFilters }: Props) {
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
