"use client";

import { memo } from "react";
import { RunnerSelect } from "#components/runners/runner-select.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import type { JobFilters } from "#lib/client/job-filters.ts";
import type { RunnerSummary } from "#lib/client/job-note.ts";
import { JOB_STATUSES, type JobStatus } from "#lib/contract/job-status.ts";
import { STATUS_LABELS } from "../job-labels.ts";
import { StatusIcon } from "../job-status.tsx";
import { CreatedFilter } from "./created-filter.tsx";

interface Props {
	filters: JobFilters;
	/** How often all filters were cleared at once. */
	clears: number;
	runners: readonly RunnerSummary[];
	onChange(filters: JobFilters): void;
}

/** Search, runner, date and status. */
export const JobsFilterBar = memo(function JobsFilterBar({ filters, clears, runners, onChange }: Props) {
	return (
		<div className="flex flex-col gap-2 min-[1720px]:flex-row min-[1720px]:items-center min-[1720px]:justify-between">
			<div className="flex gap-2 max-lg:flex-wrap">
				<SearchBox
					label="Search jobs"
					value={filters.q ?? ""}
					onChange={(q) => onChange({ ...filters, q: q === "" ? undefined : q })}
					className="max-md:w-full md:flex-1 lg:w-64 lg:flex-none"
				/>
				<RunnerSelect
					runners={runners}
					runnerId={filters.runnerId}
					onChange={(runnerId) => onChange({ ...filters, runnerId })}
				/>
				{/* Cleared, it forgets that its date fields were opened. */}
				<CreatedFilter key={clears} filters={filters} onChange={onChange} />
			</div>
			<StatusChips chosen={filters.status ?? []} onChange={(status) => onChange({ ...filters, status })} />
		</div>
	);
});

function StatusChips({ chosen, onChange }: { chosen: JobStatus[]; onChange(chosen: JobStatus[] | undefined): void }) {
	const toggle = (status: JobStatus) => {
		const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status];
		onChange(next.length === 0 || next.length === JOB_STATUSES.length ? undefined : next);
	};
	return (
		<fieldset className="-mx-4 min-w-0 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:px-0">
			<legend className="sr-only">Filter by status</legend>
			<div className="flex w-max gap-1 p-0.5">
				<FilterChip pressed={chosen.length === 0} onClick={() => onChange(undefined)}>
					All
				</FilterChip>
				{JOB_STATUSES.map((status) => (
					<FilterChip key={status} pressed={chosen.includes(status)} onClick={() => toggle(status)}>
						<StatusIcon status={status} className="size-3.5 [animation:none]" />
						{STATUS_LABELS[status]}
					</FilterChip>
				))}
			</div>
		</fieldset>
	);
}
