"use client";

import type { Track, TrackLevel } from "@tapedeck/contract/track.ts";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { usePlayer, usePlayerState } from "#components/recordings/player/use-player.tsx";
import { Button } from "#components/ui/button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useVirtualRows } from "#components/ui/use-virtual-rows.ts";
import { ALL_LINES, type TrackFilter } from "#lib/client/tracks.ts";
import { LineDetails } from "./line-details.tsx";
import { NetworkHead, ROW_PX, TrackRow } from "./track-row.tsx";
import { type Anchor, lineAt, type TrackWindow } from "./track-window.ts";
import { type ShownWindow, useTrackWindow } from "./use-track-window.ts";

const OVERSCAN = 24;
const PAGE = 300;
/** The next page is read before fewer lines than this are left. */
const READ_AHEAD = 60;
/** The number of visible rows below the current one. */
const AHEAD = 3;
/** The time span around a failure, in seconds. */
const NEAR_SECONDS = 5;
/** The maximum length of a search in the API. */
const MAX_SEARCH = 200;

interface Props {
	/** The path of the recording's tracks. */
	path: string;
	track: Track;
	/** The track's name on the page. */
	title: string;
	/** When something failed, in seconds of the video; null if nothing did. */
	failureSeconds: number | null;
}

/** The lines of a track: a list that follows playback, leads to each moment, and is searched by the server. */
export function TrackPanel(props: Props) {
	const [filter, setFilter] = useState(ALL_LINES);
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<Filter title={props.title} filter={filter} onFilter={setFilter} />
			<Lines {...props} filter={filter} />
		</div>
	);
}

const LEAST_LEVELS: readonly (readonly [TrackLevel, string])[] = [
	["info", "Info and above"],
	["warn", "Warnings and errors"],
	["error", "Errors"],
];

interface FilterProps {
	title: string;
	filter: TrackFilter;
	onFilter(filter: TrackFilter): void;
}

const Filter = ({ title, filter, onFilter }: FilterProps) => (
	<div className="flex shrink-0 gap-1.5 border-b border-line p-2">
		<SearchBox
			label={`Search in ${title}`}
			value={filter.q}
			onChange={(q) => onFilter({ ...filter, q })}
			maxLength={MAX_SEARCH}
			className="flex-1"
		/>
		<select
			aria-label={`Level of ${title}`}
			value={filter.level ?? ""}
			onChange={({ target }) => onFilter({ ...filter, level: (target.value || null) as TrackLevel | null })}
			className={inputClass(false, "w-32! shrink-0")}
		>
			<option value="">All levels</option>
			{LEAST_LEVELS.map(([level, name]) => (
				<option key={level} value={level}>
					{name}
				</option>
			))}
		</select>
	</div>
);

/** The lines around the moment of the video, or at an end of the track. More lines are read as the user scrolls. */
function Lines(props: Props & { filter: TrackFilter }) {
	const { path, track, title, filter } = props;
	const { currentSeconds } = usePlayer();
	const [anchor, setAnchor] = useState<Anchor>(currentSeconds);
	const shown = useTrackWindow({ path, track, ...filter, anchor, limit: PAGE });
	if (shown.status === "failed")
		return <NotLoaded what={title} of={{ error: shown.error, refetch: shown.window.open }} />;
	if (shown.lines.length > 0) return <LineList {...props} shown={shown} anchor={anchor} onAnchor={setAnchor} />;
	return shown.status === "loading" || shown.stale ? <Loading /> : <Nothing filter={filter} />;
}

interface ListProps extends Omit<Props, "path"> {
	shown: ShownWindow;
	anchor: Anchor;
	onAnchor(anchor: Anchor): void;
}

/**
 * The list of lines. It keeps the line of the current moment visible until the user scrolls, and again after the user
 * chooses a line or "Follow the video".
 */
function LineList({ track, title, failureSeconds, shown, anchor, onAnchor }: ListProps) {
	const { seek, currentSeconds } = usePlayer();
	const id = useId();
	const box = useRef<HTMLDivElement>(null);
	const [isFollowing, setFollowing] = useState(true);
	/** The line with the keyboard cursor; null for the line of the current moment. */
	const [activeLine, setActiveLine] = useState<number | null>(null);
	const [selectedLine, setSelectedLine] = useState<number | null>(null);
	const { lines, hasBefore, hasAfter, window } = shown;
	const rows = useVirtualRows(box, { count: lines.length, rowPx: ROW_PX, overscan: OVERSCAN });
	const { first, end, before, after, scrollToRow, shiftBy } = rows;
	const current = usePlayerState(({ seconds }) => lineAt(lines, seconds));
	/** The video is at a moment whose lines were not read. */
	const isElsewhere = usePlayerState(
		({ seconds }) =>
			(hasBefore && seconds < (lines[0]?.offsetSeconds ?? seconds)) ||
			(hasAfter && seconds > (lines.at(-1)?.offsetSeconds ?? seconds)),
	);

	// Lines that are inserted before the first line move all others down.
	const firstLine = lines[0]?.line;
	const firstBefore = useRef(firstLine);
	useLayoutEffect(() => {
		if (firstBefore.current === firstLine) return;
		const added = lines.findIndex(({ line }) => line === firstBefore.current);
		firstBefore.current = firstLine;
		if (added > 0) shiftBy(added);
	}, [firstLine, lines, shiftBy]);

	useEffect(() => {
		if (isFollowing && isElsewhere) onAnchor(currentSeconds());
	}, [isFollowing, isElsewhere, currentSeconds, onAnchor]);
	const currentLine = lines[current]?.line;
	useLayoutEffect(() => {
		if (!isFollowing || currentLine === undefined) return;
		// Includes the rows that come next.
		scrollToRow(current + AHEAD);
		scrollToRow(current);
	}, [isFollowing, current, currentLine, scrollToRow]);
	useEffect(() => {
		if (end === 0) return;
		if (hasBefore && first < READ_AHEAD) window.loadBefore();
		if (hasAfter && end > lines.length - READ_AHEAD) window.loadAfter();
	}, [window, first, end, hasBefore, hasAfter, lines.length]);

	const at = (line: number | null) => (line === null ? -1 : lines.findIndex((one) => one.line === line));
	const activeAt = at(activeLine);
	const active = Math.max(0, activeAt === -1 ? current : activeAt);
	const selected = lines[at(selectedLine)];
	const activate = (index: number) => {
		const row = Math.min(Math.max(0, index), lines.length - 1);
		setFollowing(false);
		setActiveLine(lines[row]?.line ?? null);
		scrollToRow(row);
	};
	const goToEnd = (end: "start" | "end") => {
		// Before the lines change: it would lead back to the moment of the video.
		setFollowing(false);
		// While the lines are stale, it is not known whether they include the end.
		if (shown.stale || (end === "start" ? hasBefore : hasAfter)) onAnchor(end);
		else activate(end === "start" ? 0 : lines.length - 1);
	};
	// If the list was read again for one of its ends, scrolls to that end once, not each time the list grows.
	const reached = useRef<TrackWindow | null>(null);
	useLayoutEffect(() => {
		if (shown.stale || typeof anchor === "number" || reached.current === window) return;
		reached.current = window;
		if (isFollowing) return;
		const row = anchor === "start" ? 0 : lines.length - 1;
		setActiveLine(lines[row]?.line ?? null);
		scrollToRow(row);
	}, [anchor, shown.stale, isFollowing, window, lines, scrollToRow]);
	const choose = (index: number) => {
		const line = lines[index];
		if (line === undefined) return;
		setSelectedLine(line.line);
		setActiveLine(null);
		if (line.offsetSeconds === null) return;
		seek(line.offsetSeconds);
		setFollowing(true);
	};
	const stopFollowing = () => {
		if (isFollowing) setFollowing(false);
	};
	const onKey = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const perPage = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW_PX) - 1);
		const moves: Record<string, (() => void) | undefined> = {
			ArrowDown: () => activate(active + 1),
			ArrowUp: () => activate(active - 1),
			PageDown: () => activate(active + perPage),
			PageUp: () => activate(active - perPage),
			Home: () => goToEnd("start"),
			End: () => goToEnd("end"),
			Enter: () => choose(active),
		};
		const move = moves[event.key];
		if (move === undefined) return;
		// The player has some of these keys, too.
		event.preventDefault();
		move();
	};

	const isNear = (seconds: number | null) =>
		failureSeconds !== null && seconds !== null && Math.abs(seconds - failureSeconds) <= NEAR_SECONDS;
	return (
		<>
			{track.kind === "network" ? <NetworkHead /> : null}
			<div className="relative flex min-h-24 flex-1 flex-col">
				<div
					ref={box}
					role="listbox"
					aria-label={title}
					aria-busy={shown.stale || undefined}
					// A single Tab stop: inside, the arrow keys move.
					tabIndex={0}
					aria-activedescendant={active >= first && active < end ? `${id}${lines[active]?.line}` : undefined}
					onKeyDown={onKey}
					onWheel={stopFollowing}
					onTouchMove={stopFollowing}
					// A press on the scrollbar.
					onPointerDown={(event: PointerEvent) => event.target === event.currentTarget && stopFollowing()}
					className="group/lines min-h-0 flex-1 overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
				>
					<div style={{ height: before }} />
					{lines.slice(first, end).map((line, index) => (
						<TrackRow
							key={line.line}
							id={`${id}${line.line}`}
							line={line}
							kind={track.kind}
							isCurrent={first + index === current}
							isActive={first + index === active}
							isSelected={line.line === selectedLine}
							isNearFailure={isNear(line.offsetSeconds)}
							onChoose={() => choose(first + index)}
						/>
					))}
					<div style={{ height: after }} />
				</div>
				{isFollowing ? null : (
					<Button
						size="small"
						className="absolute end-4 bottom-2 shadow-float"
						onClick={() => {
							setActiveLine(null);
							setFollowing(true);
							// The press removes this button, which had the focus.
							box.current?.focus();
						}}
					>
						Follow the video
					</Button>
				)}
			</div>
			{selected === undefined ? null : (
				<LineDetails
					line={selected}
					onClose={() => {
						setSelectedLine(null);
						box.current?.focus();
					}}
				/>
			)}
		</>
	);
}

const Loading = () => (
	<div aria-busy className="flex flex-col gap-2 p-3">
		<Skeleton className="h-3 w-2/3" />
		<Skeleton className="h-3 w-1/2" />
	</div>
);

const Nothing = ({ filter }: { filter: TrackFilter }) => (
	<p className="p-4 text-sm text-muted">
		{filter.q === "" && filter.level === null ? "No lines yet." : "No lines match this search."}
	</p>
);
