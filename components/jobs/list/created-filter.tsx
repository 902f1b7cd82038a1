"use client";

import { useEffect, useState } from "react";
import { inputClass } from "#components/ui/field.tsx";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { AGE_OPTIONS, type Age, EARLIEST_DAY, isDay } from "#lib/client/ages.ts";
import type { JobFilters } from "#lib/client/job-filters.ts";

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
			{byDay ? (
				<div className="flex gap-2 max-lg:w-full">
					<DayField
						text="From"
						label="Created from"
						day={from}
						onChange={(day) => onChange({ ...filters, from: day })}
					/>
					<DayField text="To" label="Created to" day={to} onChange={(day) => onChange({ ...filters, to: day })} />
				</div>
			) : null}
		</>
	);
}

interface DayProps {
	text: string;
	label: string;
	day: string | undefined;
	onChange(day: string | undefined): void;
}

function DayField({ text, label, day, onChange }: DayProps) {
	// What is typed, which is not a day yet until it is complete.
	const [typed, setTyped] = useState(day ?? "");
	useEffect(() => setTyped(day ?? ""), [day]);
	return (
		<label className="flex min-w-0 items-center gap-1.5 text-xs text-muted max-lg:flex-1">
			{text}
			<input
				type="date"
				aria-label={label}
				min={EARLIEST_DAY}
				value={typed}
				onChange={({ target: { value } }) => {
					setTyped(value);
					if (value === "" || isDay(value)) onChange(value === "" ? undefined : value);
				}}
				className={inputClass(false, "lg:w-36")}
			/>
		</label>
	);
}
