"use client";

import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { Command } from "cmdk";
import { CornerDownLeft, Film, Search, Server } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { buildPath } from "#components/builds/build-path.ts";
import { BuildStatusIcon, buildSize, buildStatusWord } from "#components/builds/build-status.tsx";
import { STATUS_LABELS } from "#components/jobs/job-labels.ts";
import { StatusIcon } from "#components/jobs/job-status.tsx";
import { OutcomeIcon, outcomeName } from "#components/recordings/outcome-badge.tsx";
import { ResultIcon, resultWord } from "#components/tests/result-icon.tsx";
import { testPath } from "#components/tests/test-path.ts";
import { DialogContent, DialogRoot, DialogTitle } from "#components/ui/dialog.tsx";
import { quoted } from "#lib/client/format.ts";
import { bestMatches, highlight, type PaletteSearch, readSearch } from "./matches.ts";
import { type PaletteAction, usePaletteActions } from "./palette-actions.ts";
import { type PaletteResults, usePaletteResults } from "./use-palette-results.ts";

interface Props {
	open: boolean;
	/** The text that the user typed while the palette loaded. */
	typed: string;
	onClose(): void;
	onShowShortcuts(): void;
	goTo(address: string): void;
	onCloseAutoFocus(event: Event): void;
}

/** Finds jobs, tests, recordings, builds and runners, and runs the actions that are available everywhere. */
export function CommandPalette({ open, onClose, onCloseAutoFocus, ...rest }: Props) {
	return (
		<DialogRoot open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
			<DialogContent
				aria-describedby={undefined}
				onOpenAutoFocus={focusEndOfField}
				onCloseAutoFocus={onCloseAutoFocus}
				className="max-sm:h-[94dvh]"
			>
				<DialogTitle className="sr-only">Command palette</DialogTitle>
				<Content onClose={onClose} {...rest} />
			</DialogContent>
		</DialogRoot>
	);
}

/** Puts the cursor at the end: Radix would select the text, and the next letter would replace it. */
function focusEndOfField(event: Event): void {
	event.preventDefault();
	const field = (event.currentTarget as HTMLElement).querySelector("input");
	field?.focus();
	field?.setSelectionRange(field.value.length, field.value.length);
}

function Content({ typed, onClose, onShowShortcuts, goTo }: Omit<Props, "open" | "onCloseAutoFocus">) {
	const [text, setText] = useState(typed);
	const search = readSearch(text);
	const results = usePaletteResults(search);
	const go = (address: string) => {
		onClose();
		goTo(address);
	};
	const actions = bestMatches(
		usePaletteActions({ goTo: go, showShortcuts: onShowShortcuts }),
		search,
		({ label }) => label,
	);
	const numbered = /^#?([1-9]\d{0,14})$/.exec(text.trim())?.[1];
	const { jobs, recordings, tests, builds, runners } = results;
	const count = [jobs, recordings, tests, builds, runners, actions].reduce((sum, { length }) => sum + length, 0);
	const enter = useEnterWhenFound(count > 0, results.searching, text);

	return (
		<Command
			label="Command palette"
			shouldFilter={false}
			loop
			onKeyDown={enter}
			className="flex min-h-0 flex-1 flex-col outline-none"
		>
			<div className="flex items-center gap-2.5 border-b border-line ps-4 pe-3">
				<Search aria-hidden className="size-4 shrink-0 text-muted" />
				<Command.Input
					value={text}
					onValueChange={setText}
					placeholder="Search jobs, tests, recordings, builds, runners and actions"
					maxLength={200}
					className="h-12 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted"
				/>
			</div>
			<Command.List
				label="Results"
				className={clsx(
					"min-h-0 overflow-y-auto overscroll-contain p-2 sm:max-h-[min(60dvh,420px)]",
					(count > 0 || numbered !== undefined) && "flex-1 sm:min-h-40",
				)}
			>
				{numbered === undefined ? null : (
					<Row value="job-by-number" onSelect={() => go(`/jobs/${numbered}`)} icon={<CornerDownLeft aria-hidden />}>
						{`Go to job #${Number(numbered)}`}
					</Row>
				)}
				<Found results={results} search={search} go={go} />
				<Actions actions={actions} search={search} onClose={onClose} />
			</Command.List>
			<Footing count={count} text={text.trim()} searching={results.searching} numbered={numbered !== undefined} />
		</Command>
	);
}

function Found({ results, search, go }: { results: PaletteResults; search: PaletteSearch; go(address: string): void }) {
	return (
		<>
			<Group heading="Jobs" of={results.jobs}>
				{results.jobs.map((job) => (
					<Row
						key={job.id}
						value={`job-${job.id}`}
						onSelect={() => go(`/jobs/${job.id}`)}
						icon={job.outcome === null ? <StatusIcon status={job.status} /> : <OutcomeIcon outcome={job.outcome} />}
						aside={[outcomeOf(job), STATUS_LABELS[job.status], `#${job.id}`].filter(Boolean).join(" · ")}
					>
						<Marked name={job.name} search={search} />
					</Row>
				))}
			</Group>
			<Group heading="Tests" of={results.tests}>
				{results.tests.map((result) => (
					<Row
						key={result.testId}
						value={`test-${result.testId}`}
						onSelect={() => go(testPath(result.testId))}
						icon={<ResultIcon result={result} />}
						aside={[result.project, resultWord(result)].filter(Boolean).join(" · ")}
					>
						<Marked name={result.test} search={search} />
					</Row>
				))}
			</Group>
			<Group heading="Recordings" of={results.recordings}>
				{results.recordings.map((recording) => (
					<Row
						key={recording.id}
						value={`recording-${recording.id}`}
						onSelect={() => go(`/recordings/${recording.id}`)}
						icon={recording.outcome === null ? <Film aria-hidden /> : <OutcomeIcon outcome={recording.outcome} />}
						aside={[outcomeOf(recording), formatDuration(recording.durationSeconds)].filter(Boolean).join(" · ")}
					>
						<Marked name={recording.name} search={search} />
					</Row>
				))}
			</Group>
			<Group heading="Builds" of={results.builds}>
				{results.builds.map((build) => (
					<Row
						key={build.build}
						value={`build-${build.build}`}
						onSelect={() => go(buildPath(build.build))}
						icon={<BuildStatusIcon status={build.status} />}
						aside={`${buildStatusWord(build.status)} · ${buildSize(build)}`}
					>
						<Marked name={build.build} search={search} />
					</Row>
				))}
			</Group>
			<Group heading="Runners" of={results.runners}>
				{results.runners.map((runner) => (
					<Row
						key={runner.id}
						value={`runner-${runner.id}`}
						onSelect={() => go(`/runners#runner-${runner.id}`)}
						icon={<Server aria-hidden />}
						aside={runner.state === "online" ? "Online" : "Offline"}
					>
						<Marked name={runner.name} search={search} />
					</Row>
				))}
			</Group>
		</>
	);
}

const outcomeOf = ({ outcome }: { outcome: Outcome | null }) => (outcome === null ? null : outcomeName(outcome));

interface ActionsProps {
	actions: PaletteAction[];
	search: PaletteSearch;
	onClose(): void;
}

const Actions = ({ actions, search, onClose }: ActionsProps) => (
	<Group heading="Actions" of={actions}>
		{actions.map(({ id, label, Icon, run }) => (
			<Row
				key={id}
				value={`action-${id}`}
				onSelect={() => {
					run();
					onClose();
				}}
				icon={<Icon aria-hidden />}
			>
				<Marked name={label} search={search} />
			</Row>
		))}
	</Group>
);

/** A titled group; none when nothing is in it. */
const Group = ({ heading, of, children }: { heading: string; of: readonly unknown[]; children: ReactNode }) =>
	of.length === 0 ? null : (
		<Command.Group
			heading={heading}
			className="pb-1 [&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:py-1.5 [&>[cmdk-group-heading]]:text-xs [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-muted"
		>
			{children}
		</Command.Group>
	);

interface RowProps {
	value: string;
	icon: ReactNode;
	aside?: string;
	children: ReactNode;
	onSelect(): void;
}

const Row = ({ value, icon, aside, children, onSelect }: RowProps) => (
	<Command.Item
		value={value}
		onSelect={onSelect}
		className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm select-none data-[selected=true]:bg-hover max-sm:h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg:not([class*=text-])]:text-muted forced-colors:data-[selected=true]:outline-2"
	>
		{icon}
		<span className="min-w-0 flex-1 truncate">{children}</span>
		{aside ? <span className="shrink-0 text-xs text-muted tabular-nums">{aside}</span> : null}
	</Command.Item>
);

const Marked = ({ name, search }: { name: string; search: PaletteSearch }) =>
	highlight(name, search).map((piece) =>
		piece.found ? (
			<mark key={piece.at} className="bg-transparent font-semibold text-accent">
				{piece.text}
			</mark>
		) : (
			piece.text
		),
	);

interface FootingProps {
	count: number;
	text: string;
	searching: boolean;
	/** The text is the number of a job. */
	numbered: boolean;
}

/** Shows the number of results, advice when there are none, and the available keys. */
function Footing({ count, text, searching, numbered }: FootingProps) {
	const nothing = !numbered && count === 0 && text !== "" && !searching;
	return (
		<>
			{nothing ? (
				<div className="flex-1 px-4 py-12 text-center text-sm">
					<p className="font-medium break-words">{`No results for ${quoted(text)}.`}</p>
					<p className="text-muted">Try fewer letters or another word.</p>
				</div>
			) : null}
			<div className="flex items-center justify-between gap-4 border-t border-line px-4 py-2 text-xs text-muted">
				<span role="status">
					{text === "" ? "" : searching ? "Searching…" : count === 1 ? "1 result" : `${count} results`}
				</span>
				<span className="hidden gap-3 sm:flex">
					<Key keys="↑ ↓" does="to choose" />
					<Key keys="↵" does="to open" />
					<Key keys="Esc" does="to close" />
				</span>
			</div>
		</>
	);
}

const Key = ({ keys, does }: { keys: string; does: string }) => (
	<span>
		<kbd className="rounded border border-line bg-inset px-1 font-sans">{keys}</kbd> {does}
	</span>
);

/** Enter that was pressed before the server had answered counts once it has, unless the text has changed meanwhile. */
function useEnterWhenFound(found: boolean, searching: boolean, text: string): (event: KeyboardEvent) => void {
	const waitingFor = useRef<string | null>(null);
	useEffect(() => {
		if (searching || waitingFor.current === null) return;
		const wanted = waitingFor.current === text;
		waitingFor.current = null;
		if (wanted) document.querySelector<HTMLElement>("[cmdk-item][data-selected=true]")?.click();
	}, [searching, text]);
	return (event) => {
		if (event.key === "Enter" && !found && searching) waitingFor.current = text;
	};
}
