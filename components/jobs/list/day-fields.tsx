"use client";

import { useEffect, useState } from "react";
import { inputClass } from "#components/ui/field.tsx";
import { EARLIEST_DAY, isDay } from "#lib/client/ages.ts";

interface Props {
	from: string | undefined;
	to: string | undefined;
	onChange(days: { from?: string; to?: string }): void;
}

/** The days between which jobs were created; either may be missing. */
export const DayFields = ({ from, to, onChange }: Props) => (
	<div className="flex gap-2 max-lg:w-full">
		<DayField text="From" label="Created from" day={from} onChange={(day) => onChange({ from: day })} />
		<DayField text="To" label="Created to" day={to} onChange={(day) => onChange({ to: day })} />
	</div>
);

interface DayProps {
	text: string;
	label: string;
	day: string | undefined;
	onChange(day: string | undefined): void;
}

function DayField({ text, label, day, onChange }: DayProps) {
	// Typed text, which is not a day until it is complete.
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
