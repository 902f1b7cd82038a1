"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { JOB_STATUSES, type JobStatus, UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { type ReactNode, useState } from "react";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { jobCountsQuery } from "#lib/client/jobs.ts";
import { STATUS_LABELS } from "../job-labels.ts";
import { StatusIcon } from "../job-status.tsx";

interface Props {
	filters: JobFilters;
	onChange(status: JobStatus[] | undefined): void;
}

const FIRST: readonly JobStatus[] = ["failed", "completed"];
const REST = JOB_STATUSES.filter((status) => !FIRST.includes(status));

/** The filter by status, with how many jobs each choice would show: first what people ask for most, then the rest. */
export function StatusChips({ filters, onChange }: Props) {
	const chosen = filters.status ?? [];
	const counts = useQuery({ ...jobCountsQuery(filters), placeholderData: keepPreviousData }).data?.byStatus;
	const [opened, setOpened] = useState(false);
	const has = (statuses: readonly JobStatus[]) => statuses.every((status) => chosen.includes(status));
	const isActive = has(UNFINISHED_STATUSES);
	const isRestChosen = REST.some(
		(status) =>
			chosen.includes(status) && !(isActive && (UNFINISHED_STATUSES as readonly JobStatus[]).includes(status)),
	);
	// Active filters are always shown.
	const isOpen = opened || isRestChosen;
	const toggle = (statuses: readonly JobStatus[]) => {
		// The chip that was just clicked stays under the pointer, and keeps the focus.
		if (statuses.some((status) => REST.includes(status))) setOpened(isOpen);
		const others = chosen.filter((one) => !statuses.includes(one));
		const next = has(statuses) ? others : [...others, ...statuses];
		onChange(next.length === 0 || next.length === JOB_STATUSES.length ? undefined : next);
	};
	const chip = (name: string, statuses: readonly JobStatus[], icon: ReactNode) => (
		<FilterChip key={name} pressed={has(statuses)} onClick={() => toggle(statuses)}>
			{icon}
			{name}
			{counts == null ? null : <Count of={statuses.map((status) => counts[status])} />}
		</FilterChip>
	);
	const statusChip = (status: JobStatus) =>
		chip(STATUS_LABELS[status], [status], <StatusIcon status={status} className="size-3.5 [animation:none]" />);
	return (
		<fieldset>
			<legend className="sr-only">Filter by status</legend>
			<div className="flex w-max gap-1 p-0.5">
				<FilterChip pressed={chosen.length === 0} onClick={() => onChange(undefined)}>
					All
				</FilterChip>
				{chip("Active", UNFINISHED_STATUSES, <StatusIcon status="recording" className="size-3.5 [animation:none]" />)}
				{FIRST.map(statusChip)}
				{isRestChosen ? null : (
					<FilterChip expanded={isOpen} onClick={() => setOpened(!isOpen)}>
						{isOpen ? "Fewer" : "More"}
					</FilterChip>
				)}
				{isOpen ? REST.map(statusChip) : null}
			</div>
		</fieldset>
	);
}

/** The same number as `MAX_COUNTED_JOBS` in the contract, which pages do not load at first. */
const MAX_COUNTED = 1_000;

/** Number of jobs with several statuses or outcomes, as far as they were counted. */
export function Count({ of }: { of: readonly number[] }) {
	const all = of.reduce((sum, one) => sum + one, 0);
	const isMore = of.some((one) => one >= MAX_COUNTED);
	return <span className="min-w-[1ch] text-muted tabular-nums">{isMore ? `${MAX_COUNTED - 1}+` : all}</span>;
}
