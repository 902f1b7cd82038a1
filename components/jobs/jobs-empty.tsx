import { ListVideo, SearchX, Server } from "lucide-react";
import { useCan } from "#components/session/use-session.ts";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/navigation/link.tsx";
import { hasFilters, type JobFilters } from "#lib/client/job-filters.ts";
import { jobsTexts } from "#lib/texts/jobs.ts";
import { noJobsTexts } from "#lib/texts/no-jobs.ts";

interface Props {
	filters: JobFilters;
	hasRunners: boolean;
	onClearFilters(): void;
}

/** An empty list says why it is empty, and what to do next. */
export function JobsEmpty({ filters, hasRunners, onClearFilters }: Props) {
	const mayWrite = useCan("write");
	if (hasFilters(filters)) {
		return (
			<EmptyState
				icon={SearchX}
				title={jobsTexts.noneFits}
				actions={<Button onClick={onClearFilters}>{jobsTexts.clearFilters}</Button>}
			>
				{jobsTexts.noneFitsHint}
			</EmptyState>
		);
	}
	if (!hasRunners) {
		return (
			<EmptyState
				icon={Server}
				title={noJobsTexts.noRunner}
				actions={
					<Link href="/runners" className={buttonClass("primary")}>
						{noJobsTexts.goToRunners}
					</Link>
				}
			>
				{noJobsTexts.noRunnerMeaning}
			</EmptyState>
		);
	}
	return (
		<EmptyState icon={ListVideo} title={noJobsTexts.title}>
			{noJobsTexts.meaning} {mayWrite ? noJobsTexts.forWriters : null}
		</EmptyState>
	);
}
