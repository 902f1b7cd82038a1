"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { OutcomeChips } from "#components/recordings/outcome-chips.tsx";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { jobCountsQuery } from "#lib/client/jobs.ts";
import { Count } from "./status-chips.tsx";

interface Props {
	filters: JobFilters;
	/** Gets the search with the chosen outcomes. */
	onChange(q: string): void;
}

/** The filter by outcome, with how many jobs each choice would show. */
export function JobOutcomeChips({ filters, onChange }: Props) {
	const counts = useQuery({ ...jobCountsQuery(filters), placeholderData: keepPreviousData }).data?.byOutcome;
	return (
		<OutcomeChips
			q={filters.q ?? ""}
			onChange={onChange}
			countOf={(outcome) => (counts == null ? null : <Count of={[counts[outcome]]} />)}
		/>
	);
}
