"use client";

import { useState } from "react";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { AGE_OPTIONS, type Age } from "#lib/client/ages.ts";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { DayFields } from "./day-fields.tsx";

const DAYS = "days";
const OPTIONS = [...AGE_OPTIONS, [DAYS, "Choose dates…"] as const];

interface Props {
	filters: JobFilters;
	onChange(filters: JobFilters): void;
}

/** When jobs were created: an age, or the days between which they were. */
export function CreatedFilter({ filters, onChange }: Props) {
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
