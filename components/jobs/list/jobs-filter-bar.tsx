"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { memo, useState } from "react";
import { OutcomeChips } from "#components/recordings/outcome-chips.tsx";
import { RunnerSelect } from "#components/runners/runner-select.tsx";
import { LazySearchTerms } from "#components/search/lazy-search-terms.tsx";
import { loadCompletion } from "#components/search/load-completion.ts";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { ViewsButton } from "#components/views/views-button.tsx";
import { AGE_OPTIONS, type Age } from "#lib/client/ages.ts";
import { type JobFilters, searchFromFilters } from "#lib/client/job-filters.ts";
import { jobCountsQuery } from "#lib/client/jobs.ts";
import type { RunnerSummary } from "../job-note.ts";
import { DayFields } from "./day-fields.tsx";
import { Count, StatusChips } from "./status-chips.tsx";

interface Props {
	filters: JobFilters;
	/** Number of times that all filters were cleared at once. */
	clears: number;
	runners: readonly RunnerSummary[];
	onChange(filters: JobFilters): void;
}

const SORT_OPTIONS = [
	["desc", "Newest first"],
	["asc", "Oldest first"],
] as const;

/** Search, runner, date and status. */
export const JobsFilterBar = memo(function JobsFilterBar({ filters, clears, runners, onChange }: Props) {
	const search = (q: string | undefined) => onChange({ ...filters, q: q === "" ? undefined : q });
	return (
		<div className="flex flex-col gap-2 min-[1720px]:flex-row min-[1720px]:flex-wrap min-[1720px]:items-center min-[1720px]:justify-between">
			<div className="flex flex-wrap gap-2">
				<SearchBox
					label="Search jobs"
					value={filters.q ?? ""}
					onChange={search}
					loadCompletion={loadCompletion}
					className="max-md:w-full md:flex-1 lg:w-64 lg:flex-none"
				/>
				<RunnerSelect
					runners={runners}
					runnerId={filters.runnerId}
					onChange={(runnerId) => onChange({ ...filters, runnerId })}
				/>
				{/* Cleared, it forgets that its date fields were opened. */}
				<CreatedFilter key={clears} filters={filters} onChange={onChange} />
				{/* Wider, the head of the table sorts. */}
				<div className="contents md:hidden">
					<FilterSelect
						label="Sort by"
						value={filters.order ?? "desc"}
						options={SORT_OPTIONS}
						onChange={(order) => onChange({ ...filters, order: order === "asc" ? "asc" : undefined })}
					/>
				</div>
				<ViewsButton page="jobs" search={searchFromFilters(filters)} />
			</div>
			<LazySearchTerms q={filters.q} onChange={search} className="min-[1720px]:order-last min-[1720px]:basis-full" />
			<div className="-mx-4 flex min-w-0 gap-3 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:px-0">
				<StatusChips filters={filters} onChange={(status) => onChange({ ...filters, status })} />
				<JobOutcomeChips filters={filters} onChange={search} />
			</div>
		</div>
	);
});

interface OutcomeProps {
	filters: JobFilters;
	/** Gets the search with the chosen outcomes. */
	onChange(q: string): void;
}

/** The filter by outcome, with how many jobs each choice would show. */
function JobOutcomeChips({ filters, onChange }: OutcomeProps) {
	const counts = useQuery({ ...jobCountsQuery(filters), placeholderData: keepPreviousData }).data?.byOutcome;
	return (
		<OutcomeChips
			q={filters.q ?? ""}
			onChange={onChange}
			countOf={(outcome) => (counts == null ? null : <Count of={[counts[outcome]]} />)}
		/>
	);
}

const DAYS = "days";
const OPTIONS = [...AGE_OPTIONS, [DAYS, "Choose dates…"] as const];

/** When jobs were created: an age, or the days between which they were. */
function CreatedFilter({ filters, onChange }: Pick<Props, "filters" | "onChange">) {
	const { age, from, to } = filters;
	const [choosing, setChoosing] = useState(false);
	const byDay = choosing || from !== undefined || to !== undefined;
	const choose = (value: string) => {
		setChoosing(value === DAYS);
		const next = value === DAYS || value === "" ? undefined : (value as Age);
		if (next !== age || value !== DAYS) onChange({ ...filters, age: next, from: undefined, to: undefined });
	};
	return (
		<>
			<FilterSelect label="Filter by age" value={byDay ? DAYS : (age ?? "")} options={OPTIONS} onChange={choose} />
			{byDay ? <DayFields from={from} to={to} onChange={(days) => onChange({ ...filters, ...days })} /> : null}
		</>
	);
}
