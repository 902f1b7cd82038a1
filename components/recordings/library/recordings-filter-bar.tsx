"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDot, EyeOff, Film, type LucideIcon, Scissors, Snowflake } from "lucide-react";
import type { ReactNode } from "react";
import { inputClass } from "#components/ui/field.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { AGES, type Age, type RecordingFilters } from "#lib/client/recording-filters.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import type { Order, RecordingSort, RecordingState, Verdict } from "#lib/contract/recording.ts";
import { verdictText } from "../verdict.tsx";

const STATES: Record<RecordingState, { name: string; Icon: LucideIcon }> = {
	live: { name: "Live", Icon: CircleDot },
	ready: { name: "Ready", Icon: Film },
	partial: { name: "Partial", Icon: Scissors },
};
const VERDICTS: Record<Verdict, { name: string; Icon: LucideIcon }> = {
	ok: { name: "Video OK", Icon: CircleCheck },
	black: { name: verdictText("black")?.title ?? "", Icon: EyeOff },
	frozen: { name: verdictText("frozen")?.title ?? "", Icon: Snowflake },
};
const AGE_NAMES: Record<Age, string> = {
	"1h": "Last hour",
	"24h": "Last 24 hours",
	"7d": "Last 7 days",
	"30d": "Last 30 days",
};
const SORTS: readonly { by: RecordingSort; order: Order; name: string }[] = [
	{ by: "createdAt", order: "desc", name: "Newest" },
	{ by: "createdAt", order: "asc", name: "Oldest" },
	{ by: "durationSeconds", order: "desc", name: "Longest" },
	{ by: "durationSeconds", order: "asc", name: "Shortest" },
	{ by: "bytes", order: "desc", name: "Largest" },
	{ by: "bytes", order: "asc", name: "Smallest" },
];

interface Props {
	filters: RecordingFilters;
	onChange(change: RecordingFilters): void;
}

/** Search, runner, age and order; state and verdict below, or beside it on wide screens. */
export function RecordingsFilterBar({ filters, onChange }: Props) {
	const { sort = "createdAt", order = "desc" } = filters;
	return (
		<div className="flex flex-col gap-2 min-[1720px]:flex-row min-[1720px]:items-center min-[1720px]:justify-between">
			<div className="flex gap-2 max-lg:flex-wrap">
				<SearchBox
					label="Search recordings"
					value={filters.q ?? ""}
					onChange={(q) => onChange({ q: q === "" ? undefined : q })}
					className="max-lg:w-full lg:w-64"
				/>
				<RunnerSelect runnerId={filters.runnerId} onChange={onChange} />
				<Select
					label="Filter by age"
					value={filters.age ?? ""}
					onChange={(age) => onChange({ age: age === "" ? undefined : (age as Age) })}
				>
					<option value="">Any age</option>
					{(Object.keys(AGES) as Age[]).map((age) => (
						<option key={age} value={age}>
							{AGE_NAMES[age]}
						</option>
					))}
				</Select>
				<Select
					label="Sort by"
					value={`${sort} ${order}`}
					onChange={(chosen) => {
						const [by, way] = chosen.split(" ") as [RecordingSort, Order];
						onChange({
							sort: by === "createdAt" ? undefined : by,
							order: way === "desc" ? undefined : way,
						});
					}}
				>
					{SORTS.map(({ by, order: way, name }) => (
						<option key={`${by} ${way}`} value={`${by} ${way}`}>
							{name}
						</option>
					))}
				</Select>
			</div>
			<Chips filters={filters} onChange={onChange} />
		</div>
	);
}

function RunnerSelect({ runnerId, onChange }: { runnerId: number | undefined; onChange: Props["onChange"] }) {
	const runners = useQuery(runnersQuery()).data ?? [];
	const known = runnerId === undefined || runners.some(({ id }) => id === runnerId);
	return (
		<Select
			label="Filter by runner"
			value={String(runnerId ?? "")}
			onChange={(id) => onChange({ runnerId: id === "" ? undefined : Number(id) })}
		>
			<option value="">All runners</option>
			{runners.map((runner) => (
				<option key={runner.id} value={runner.id}>
					{runner.name}
				</option>
			))}
			{known ? null : <option value={runnerId}>{`Runner ${runnerId}`}</option>}
		</Select>
	);
}

interface SelectProps {
	label: string;
	value: string;
	onChange(value: string): void;
	children: ReactNode;
}

const Select = ({ label, value, onChange, children }: SelectProps) => (
	<select
		aria-label={label}
		value={value}
		onChange={(event) => onChange(event.target.value)}
		className={inputClass(false, "max-lg:flex-1 lg:w-36 lg:shrink-0")}
	>
		{children}
	</select>
);

function Chips({ filters, onChange }: Props) {
	const { state = [], verdict = [] } = filters;
	const toggled = <T,>(chosen: readonly T[], one: T, all: number): T[] | undefined => {
		const next = chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one];
		return next.length === 0 || next.length === all ? undefined : next;
	};
	return (
		<fieldset className="-mx-4 min-w-0 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:px-0">
			<legend className="sr-only">Filter by state and verdict</legend>
			<div className="flex w-max items-center gap-1 p-0.5">
				<FilterChip
					pressed={state.length === 0 && verdict.length === 0}
					onClick={() => onChange({ state: undefined, verdict: undefined })}
				>
					All
				</FilterChip>
				{(Object.keys(STATES) as RecordingState[]).map((one) => (
					<FilterChip
						key={one}
						pressed={state.includes(one)}
						onClick={() => onChange({ state: toggled(state, one, 3) })}
					>
						<NameWithIcon {...STATES[one]} />
					</FilterChip>
				))}
				<span aria-hidden className="mx-1 h-4 w-px bg-line" />
				{(Object.keys(VERDICTS) as Verdict[]).map((one) => (
					<FilterChip
						key={one}
						pressed={verdict.includes(one)}
						onClick={() => onChange({ verdict: toggled(verdict, one, Number.POSITIVE_INFINITY) })}
					>
						<NameWithIcon {...VERDICTS[one]} />
					</FilterChip>
				))}
			</div>
		</fieldset>
	);
}

const NameWithIcon = ({ name, Icon }: { name: string; Icon: LucideIcon }) => (
	<>
		<Icon aria-hidden />
		{name}
	</>
);
