import { ListVideo, SearchX, Server } from "lucide-react";
import Link from "next/link";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { hasFilters, type JobFilters } from "#lib/client/job-filters.ts";

interface Props {
	filters: JobFilters;
	hasRunners: boolean;
	onClearFilters(): void;
}

/** An empty list says why it is empty, and what to do next. */
export function JobsEmpty({ filters, hasRunners, onClearFilters }: Props) {
	if (hasFilters(filters)) {
		return (
			<EmptyState
				icon={SearchX}
				title="No job fits these filters"
				actions={<Button onClick={onClearFilters}>Clear filters</Button>}
			>
				Try another name, or fewer filters.
			</EmptyState>
		);
	}
	if (!hasRunners) {
		return (
			<EmptyState
				icon={Server}
				title="First, a runner"
				actions={
					<Link href="/runners" className={buttonClass("primary")}>
						Go to runners
					</Link>
				}
			>
				Jobs record the displays of a runner, and there is none yet. Add one: it is a single command on the machine with
				the display.
			</EmptyState>
		);
	}
	return (
		<EmptyState icon={ListVideo} title="No jobs yet">
			A job records one display until its stop condition ends it. Press “New job” above, or send one with{" "}
			<code className="text-xs">curl</code>: the form shows the command.
		</EmptyState>
	);
}
