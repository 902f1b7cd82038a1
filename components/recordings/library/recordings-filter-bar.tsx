"use client";

import { useQuery } from "@tanstack/react-query";
import type { Order, RecordingSort, RecordingState, Verdict } from "@tapedeck/contract/recording.ts";
import type { RecordingKind } from "@tapedeck/contract/recording-kinds.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { CircleCheck, CircleDot, EyeOff, Film, type LucideIcon, Scissors, Snowflake } from "lucide-react";
import { RunnerSelect } from "#components/runners/runner-select.tsx";
import { LazySearchTerms } from "#components/search/lazy-search-terms.tsx";
import { loadCompletion } from "#components/search/load-completion.ts";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { ViewsButton } from "#components/views/views-button.tsx";
import { AGE_OPTIONS, type Age } from "#lib/client/ages.ts";
import { type RecordingFilters, searchFromFilters, sortingOf } from "#lib/client/recording-filters.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { OutcomeChips } from "../outcome-chips.tsx";
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
const SORT_OPTIONS: readonly (readonly [value: `${RecordingSort} ${Order}`, name: string])[] = [
	["createdAt desc", "Newest"],
	["createdAt asc", "Oldest"],
	["durationSeconds desc", "Longest"],
	["durationSeconds asc", "Shortest"],
	["bytes desc", "Largest"],
	["bytes asc", "Smallest"],
];

const KIND_OPTIONS: readonly (readonly [value: RecordingKind | "", name: string])[] = [
	["", "All kinds"],
	["video", "Videos"],
	["image", "Images"],
	["document", "Documents"],
	["other", "Other files"],
];

interface Props {
	filters: RecordingFilters;
	onChange(change: RecordingFilters): void;
}

interface ControlsProps extends Props {
	sort: RecordingSort;
	order: Order;
	runners: readonly Runner[];
}

/** Search, runner, age and order; state, verdict and outcome below, or next to them on wide screens. */
export function RecordingsFilterBar({ filters, onChange }: Props) {
	const { sort = "createdAt", order = "desc" } = filters;
	const runners = useQuery(runnersQuery()).data ?? [];
	return (
		<div className="flex flex-col gap-2">
			<Controls filters={filters} onChange={onChange} sort={sort} order={order} runners={runners} />
			<LazySearchTerms q={filters.q} onChange={(q) => onChange({ q })} />
		</div>
	);
}

function Controls({ filters, onChange, sort, order, runners }: ControlsProps) {
	return (
		<div className="flex flex-col gap-2 min-[2100px]:flex-row min-[2100px]:items-center min-[2100px]:justify-between">
			<div className="flex flex-wrap gap-2">
				<SearchBox
					label="Search recordings"
					value={filters.q ?? ""}
					onChange={(q) => onChange({ q: q === "" ? undefined : q })}
					loadCompletion={loadCompletion}
					className="max-lg:w-full lg:w-48 min-[1400px]:w-64"
				/>
				<FilterSelect
					label="Filter by kind"
					value={filters.kind ?? ""}
					options={KIND_OPTIONS}
					onChange={(kind) => onChange({ kind: kind === "" ? undefined : (kind as RecordingKind) })}
				/>
				<RunnerSelect runners={runners} runnerId={filters.runnerId} onChange={(runnerId) => onChange({ runnerId })} />
				<FilterSelect
					label="Filter by age"
					value={filters.age ?? ""}
					options={AGE_OPTIONS}
					onChange={(age) => onChange({ age: age === "" ? undefined : (age as Age) })}
				/>
				<FilterSelect
					label="Sort by"
					value={`${sort} ${order}`}
					options={SORT_OPTIONS}
					onChange={(chosen) => {
						onChange(sortingOf(...(chosen.split(" ") as [RecordingSort, Order])));
					}}
				/>
				<ViewsButton page="recordings" search={searchFromFilters(filters)} />
			</div>
			<div className="-mx-4 flex min-w-0 gap-3 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:px-0">
				<Chips filters={filters} onChange={onChange} />
				<OutcomeChips q={filters.q ?? ""} onChange={(q) => onChange({ q: q === "" ? undefined : q })} />
			</div>
		</div>
	);
}

function Chips({ filters, onChange }: Props) {
	const { state = [], verdict = [] } = filters;
	const toggled = <T,>(chosen: readonly T[], one: T, all: number): T[] | undefined => {
		const next = chosen.includes(one) ? chosen.filter((each) => each !== one) : [...chosen, one];
		return next.length === 0 || next.length === all ? undefined : next;
	};
	return (
		<fieldset>
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
