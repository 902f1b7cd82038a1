"use client";

import { aboutTime } from "@tapedeck/contract/about-time.ts";
import type { FailureGroup, FailureGrouping } from "@tapedeck/contract/test-failure.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { BellOff, Check, ChevronDown, ChevronRight, Ellipsis, Film, Play, UserRound } from "lucide-react";
import { useId, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { MarkerMessage } from "#components/recordings/marker-message.tsx";
import { OUTSIDE } from "#components/recordings/player/markers.tsx";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { FailureImage } from "#components/tests/failure-image.tsx";
import { Sparkline } from "#components/tests/sparkline.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { counted, failedTests, formatDay } from "#lib/client/format.ts";
import { failurePath } from "./failure-path.ts";
import type { TriageOf } from "./failures.ts";
import { GroupResults, searchOf } from "./group-results.tsx";

interface Props {
	by: FailureGrouping;
	group: FailureGroup;
	isOpen: boolean;
	/** Whether the rows of the list have a frame each. */
	hasFrames: boolean;
	onToggle(open: boolean): void;
	/** Called when the user plays one of the group's failures or marks the group as seen. */
	onSeen(): void;
}

const loadMenu = () => import("./triage-menu.tsx").then((module) => module.TriageMenu);

/** A group of failures: the newest one to play, their number, and all of them below when the group is open. */
export function FailureGroupRow({ by, group, isOpen, hasFrames, onToggle, onSeen }: Props) {
	const { key, newest, triage } = group;
	const title = titleOf(by, group);
	const results = useId();
	const q = searchOf(by, group);
	const singleKeys = useSingleKeys();
	const mayDecide = useCan("recordings:write");
	const of = triageOf(by, group);
	const isMuted = triage?.mutedUntil != null;
	const Chevron = isOpen ? ChevronDown : ChevronRight;
	return (
		<li data-group={key ?? ""} className="scroll-my-4 border-b border-line last:border-b-0">
			<div className="group relative flex gap-x-3 px-2 py-3 hover:bg-hover has-[a[data-failure]:focus-visible]:outline-2 has-[a[data-failure]:focus-visible]:-outline-offset-2 has-[a[data-failure]:focus-visible]:outline-accent md:px-3">
				<button
					type="button"
					aria-expanded={isOpen}
					aria-controls={results}
					aria-label={`All failures: ${title}`}
					disabled={q === null}
					onClick={() => onToggle(!isOpen)}
					className="relative z-10 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-inset hover:text-ink disabled:invisible"
				>
					<Chevron aria-hidden className="size-4" />
				</button>
				<div className={clsx("flex min-w-0 flex-1 flex-col gap-x-4 gap-y-2 sm:flex-row", isMuted && "opacity-70")}>
					{hasFrames ? <Frame result={newest} /> : null}
					<div className="flex min-w-0 flex-1 flex-col items-start gap-1.5">
						<h2 className="max-w-full">
							<Link
								href={failurePath(newest)}
								data-failure={newest.id}
								onClick={() => {
									onSeen();
									if (newest.recordingId !== null) requestPlay(newest.recordingId);
								}}
								className={clsx(
									"line-clamp-2 text-sm break-words text-ink outline-none after:absolute after:inset-0",
									group.unseen > 0 ? "font-semibold" : "font-normal",
									by === "cause" && newest.message !== null && "font-mono text-[13px] leading-5",
								)}
							>
								{title}
							</Link>
						</h2>
						<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
							<Counts group={group} />
							<Sparkline results={group.recent} />
						</div>
						<p className="text-xs break-words text-muted tabular-nums">
							{by === "test" ? null : `${newest.test} · `}
							{by === "build" ? null : whereOf(newest)}
							{newest.clampedTo === null ? null : `${OUTSIDE[newest.clampedTo]} · `}
							<TimeAgo at={group.lastAt} isAbout={newest.isApproximate} />
							{group.failures > 1 ? (
								<>
									{", first "}
									<TimeAgo at={group.firstAt} />
								</>
							) : null}
						</p>
						{newest.message === null || newest.message === title ? null : (
							<MarkerMessage message={newest.message} label={newest.test} className="w-full" />
						)}
						<Decided group={group} />
					</div>
				</div>
				<div className="flex gap-x-3 max-sm:flex-col">
					{group.unseen === 0 || key === null ? null : (
						<button
							type="button"
							aria-label={`Mark as seen: ${title}`}
							title={singleKeys ? "Mark as seen (S)" : "Mark as seen"}
							onClick={onSeen}
							className={`${buttonClass("ghost", "icon")} relative z-10 pointer-coarse:size-11`}
						>
							<Check aria-hidden className="size-4" />
						</button>
					)}
					{of === null || !mayDecide ? null : (
						<MenuButton
							load={loadMenu}
							menu={(Menu, control) => <Menu of={of} title={title} triage={triage} {...control} />}
							aria-label={`Actions for ${title}`}
							className={`${buttonClass("ghost", "icon")} relative z-10 pointer-coarse:size-11`}
						>
							<Ellipsis aria-hidden className="size-4" />
						</MenuButton>
					)}
				</div>
			</div>
			<div id={results}>
				{isOpen && q !== null ? <GroupResults by={by} group={group} title={title} q={q} onSeen={onSeen} /> : null}
			</div>
		</li>
	);
}

/** The subject of a decision about a group; null for groups without decisions. */
function triageOf(by: FailureGrouping, { key }: FailureGroup): TriageOf | null {
	if (key === null) return null;
	if (by === "cause") return { cause: key };
	return by === "test" ? { testId: Number(key) } : null;
}

/** The title of a group. Failures without the property that groups the others form one group. */
function titleOf(by: FailureGrouping, { key, title, newest }: FailureGroup): string {
	if (key !== null) return by === "build" ? `Build ${title}` : title;
	return {
		cause: "No message",
		test: newest.test,
		build: "Without a build",
		screen: "Without a picture of the screen",
	}[by];
}

const whereOf = ({ labels, project }: TestResult): string =>
	[project, labels.branch, labels.build === undefined ? undefined : `build ${labels.build}`]
		.filter(Boolean)
		.map((part) => `${part} · `)
		.join("");

const CHIP = "inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap tabular-nums";

/** The number of failures by kind. */
function Counts({ group }: { group: FailureGroup }) {
	const { failures, tests, builds, unseen, known, flaky } = group;
	return (
		<ul aria-label="Counts" className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
			{unseen > 0 ? (
				<li className="inline-flex items-center gap-1.5 pe-1 text-xs font-medium text-ink">
					<span aria-hidden className="size-2 rounded-full bg-accent" />
					{unseen < tests ? `${unseen} not seen` : "Not seen"}
				</li>
			) : null}
			<li className={`${CHIP} bg-soft-danger text-danger`}>{failedTests(tests, failures)}</li>
			{group.new > 0 ? <li className={`${CHIP} bg-accent text-on-accent`}>{`${group.new} new`}</li> : null}
			{known > 0 ? <li className={`${CHIP} bg-inset text-muted`}>{`${known} known`}</li> : null}
			{flaky > 0 ? <li className={`${CHIP} bg-soft-warn text-warn`}>{`${flaky} flaky`}</li> : null}
			{builds > 0 ? <li className="text-xs text-muted tabular-nums">{counted(builds, "build", "builds")}</li> : null}
		</ul>
	);
}

/** Shows the person who looks after the group, and the end of its mute. */
function Decided({ group: { triage } }: { group: FailureGroup }) {
	if (triage === null || (triage.assignee === null && triage.mutedUntil === null)) return null;
	return (
		<p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
			{triage.assignee === null ? null : (
				<span className="inline-flex items-center gap-1">
					<UserRound aria-hidden className="size-3.5" />
					{`Assigned to ${triage.assignee.name}`}
				</span>
			)}
			{triage.mutedUntil === null ? null : (
				<span className="inline-flex items-center gap-1">
					<BellOff aria-hidden className="size-3.5 shrink-0" />
					<span className="min-w-0 break-words">
						<span suppressHydrationWarning>{`Muted until ${formatDay(triage.mutedUntil)}`}</span>
						{triage.mutedBy === null ? "" : ` by ${triage.mutedBy}`}
						{triage.muteReason === null ? "" : `: ${triage.muteReason}`}
						{triage.letsPass ? " · CI passes in spite of it" : ""}
					</span>
				</span>
			)}
		</p>
	);
}

/** The newest failure's frame, with its second in the video. */
function Frame({ result }: { result: TestResult }) {
	// It is made once the video has come so far.
	const [missing, setMissing] = useState<number | null>(null);
	const isMissing = !result.hasFrame || missing === result.id;
	const seconds = result.recordingId === null ? null : result.failureOffsetSeconds;
	return (
		<div
			className={clsx(
				"relative w-full shrink-0 overflow-hidden rounded-md border border-line bg-inset sm:aspect-video sm:w-48 sm:self-start",
				isMissing ? "h-10 sm:h-auto" : "aspect-video",
			)}
		>
			{isMissing ? (
				<span className="grid size-full place-items-center px-2 text-center text-xs text-muted">
					{result.recordingId === null ? "No video" : <Film aria-hidden className="size-5" />}
				</span>
			) : (
				<FailureImage id={result.id} onMissing={() => setMissing(result.id)} />
			)}
			{result.recordingId === null ? null : (
				<span className="absolute inset-0 grid place-items-center opacity-0 transition-opacity duration-100 group-hover:opacity-100 group-has-focus-visible:opacity-100">
					<span className="grid size-9 place-items-center rounded-full bg-black/65 text-white">
						<Play aria-hidden className="size-4 translate-x-px fill-current" />
					</span>
				</span>
			)}
			{seconds === null || isMissing ? null : (
				<span className="absolute end-1.5 bottom-1.5 rounded bg-black/75 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
					{aboutTime(result, formatInstant(seconds))}
				</span>
			)}
		</div>
	);
}
