"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { OUTCOME_OPTIONS, OutcomeIcon } from "#components/recordings/outcome-badge.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { jobCountsQuery } from "#lib/client/jobs.ts";
import { Count } from "./status-chips.tsx";

interface Props {
	filters: JobFilters;
	/** Gets the search with the chosen outcomes. */
	onChange(q: string): void;
}

/** The filter by outcome, which is a part of the search, with how many jobs each choice would show. */
export function OutcomeChips({ filters, onChange }: Props) {
	const counts = useQuery({ ...jobCountsQuery(filters), placeholderData: keepPreviousData }).data?.byOutcome;
	const q = filters.q ?? "";
	return (
		<fieldset>
			<legend className="sr-only">Filter by outcome</legend>
			<div className="flex w-max gap-1 p-0.5">
				{OUTCOME_OPTIONS.map(([outcome, name]) => {
					const term = new RegExp(`(?:^|\\s)outcome:${outcome}(?=\\s|$)`);
					const isChosen = term.test(q);
					const next = isChosen ? q.replace(term, " ").trim() : `${q} outcome:${outcome}`.trim();
					return (
						<FilterChip key={outcome} pressed={isChosen} onClick={() => onChange(next)}>
							<OutcomeIcon outcome={outcome} className="size-3.5" />
							{name}
							{counts == null ? null : <Count of={[counts[outcome]]} />}
						</FilterChip>
					);
				})}
			</div>
		</fieldset>
	);
}
