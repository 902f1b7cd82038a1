"use client";

import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { inputClass } from "#components/ui/field.tsx";
import { useKeys } from "#components/ui/use-keys.ts";
import { ALL_STATUSES, type JobFilters } from "#lib/client/job-filters.ts";
import type { JobStatus } from "#lib/contract/job.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { STATUS_WORDS } from "#lib/texts/job-words.ts";
import { jobsTexts } from "#lib/texts/jobs.ts";
import { StatusIcon } from "./job-status.tsx";

/** How long typing rests before it counts. */
const TYPING_MS = 180;

interface Props {
	filters: JobFilters;
	runners: Runner[];
	onChange(filters: JobFilters): void;
}

/** Search, runner and status. */
export function JobsFilterBar({ filters, runners, onChange }: Props) {
	return (
		<div className="flex flex-col gap-2 min-[1400px]:flex-row min-[1400px]:items-center min-[1400px]:justify-between">
			<div className="flex gap-2">
				<SearchBox value={filters.q ?? ""} onChange={(q) => onChange({ ...filters, q: q === "" ? undefined : q })} />
				<select
					aria-label={jobsTexts.filterByRunner}
					className={inputClass(false, "max-w-44 shrink-0 basis-36")}
					value={filters.runnerId ?? ""}
					onChange={(event) => {
						const id = Number(event.target.value);
						onChange({ ...filters, runnerId: id > 0 ? id : undefined });
					}}
				>
					<option value="">{jobsTexts.allRunners}</option>
					{runners.map((runner) => (
						<option key={runner.id} value={runner.id}>
							{runner.name}
						</option>
					))}
					{filters.runnerId !== undefined && !runners.some((runner) => runner.id === filters.runnerId) ? (
						<option value={filters.runnerId}>{jobsTexts.runner(filters.runnerId)}</option>
					) : null}
				</select>
			</div>
			<StatusChips chosen={filters.status ?? []} onChange={(status) => onChange({ ...filters, status })} />
		</div>
	);
}

function SearchBox({ value, onChange }: { value: string; onChange(value: string): void }) {
	const [text, setText] = useState(value);
	const input = useRef<HTMLInputElement>(null);
	useKeys({ "/": () => input.current?.select() });
	const sent = useRef(value);
	const change = useRef(onChange);
	change.current = onChange;

	// The address changed by other means: back, a link, "clear filters".
	useEffect(() => {
		if (value !== sent.current) {
			sent.current = value;
			setText(value);
		}
	}, [value]);

	useEffect(() => {
		const wanted = text.trim();
		if (wanted === sent.current) return;
		const timer = setTimeout(() => {
			sent.current = wanted;
			change.current(wanted);
		}, TYPING_MS);
		return () => clearTimeout(timer);
	}, [text]);

	return (
		<div className="relative min-w-0 flex-1 lg:w-72 lg:flex-none">
			<Search aria-hidden className="pointer-events-none absolute top-2 start-2.5 size-4 text-muted" />
			<input
				ref={input}
				type="search"
				title={jobsTexts.searchHint}
				aria-label={jobsTexts.search}
				placeholder={jobsTexts.search}
				className={inputClass(false, "ps-8")}
				value={text}
				maxLength={200}
				onChange={(event) => setText(event.target.value)}
			/>
		</div>
	);
}

function StatusChips({ chosen, onChange }: { chosen: JobStatus[]; onChange(chosen: JobStatus[] | undefined): void }) {
	const toggle = (status: JobStatus) => {
		const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status];
		onChange(next.length === 0 || next.length === ALL_STATUSES.length ? undefined : next);
	};
	return (
		<fieldset className="-mx-4 min-w-0 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:px-0">
			<legend className="sr-only">{jobsTexts.filterByStatus}</legend>
			<div className="flex w-max gap-1 p-0.5">
				<Chip pressed={chosen.length === 0} onClick={() => onChange(undefined)}>
					{jobsTexts.allStatuses}
				</Chip>
				{ALL_STATUSES.map((status) => (
					<Chip key={status} pressed={chosen.includes(status)} onClick={() => toggle(status)}>
						<StatusIcon status={status} className="size-3.5 [animation:none]" />
						{STATUS_WORDS[status]}
					</Chip>
				))}
			</div>
		</fieldset>
	);
}

function Chip({ pressed, onClick, children }: { pressed: boolean; onClick(): void; children: React.ReactNode }) {
	return (
		<button
			type="button"
			aria-pressed={pressed}
			onClick={onClick}
			className={clsx(
				"flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium transition-colors duration-100",
				pressed ? "border-accent bg-accent-soft text-ink" : "border-line bg-surface text-muted hover:text-ink",
			)}
		>
			{children}
		</button>
	);
}
