"use client";

import { useQuery } from "@tanstack/react-query";
import type { PrivateStretch } from "@tapedeck/contract/privacy.ts";
import type { Track, TrackLine } from "@tapedeck/contract/track.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { type CSSProperties, type PointerEvent, useRef, useState } from "react";
import { formatClock, formatSpan } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import type { Played } from "#lib/client/recordings.ts";
import { tracksPath } from "#lib/client/tracks.ts";
import { framePath, frameTime, storyboardQuery, useThrottledImage } from "../storyboard.ts";
import { LoadLine, loadWords } from "../tracks/machine-load.tsx";
import { type TrackError, useTrackErrors } from "../tracks/track-errors.ts";
import { lineAt } from "../tracks/track-window.ts";
import { useWholeTrack } from "../tracks/use-track-window.ts";
import { MARKER_LOOKS } from "./markers.tsx";
import { privateWords } from "./private-words.ts";
import { usePlayer, usePlayerState } from "./use-player.tsx";

/** Half of the slider's knob: its middle is the value, so the outermost pixels mean nothing. */
const KNOB_PX = 6;
/** A pointer this near to a marker means the marker. */
const NEAR_PX = 6;
const PREVIEW_PX = 168;

interface Props {
	recording: Played;
	markers: readonly TimedMarker[];
	tracks: readonly Track[];
	/** When the first frame was captured, in milliseconds since 1970. */
	startedAt: number | null;
}

interface Hover {
	/** Pixels from the bar's left end. */
	x: number;
	width: number;
	/** 0 to 1 of the video. */
	fraction: number;
}

const NO_STRETCHES: readonly PrivateStretch[] = [];

/** The title of the window that was active at a second; null if there was none, or it is unknown. */
function chapterAt(windows: readonly TrackLine[], seconds: number): string | null {
	const line = windows[lineAt(windows, seconds)];
	// Some lines only end the chapter before them.
	return line === undefined || line.data?.window === null ? null : line.text;
}

/**
 * The position in the video, with its markers, errors, private stretches, load and loop. Time runs from left to right in
 * every language.
 */
export function SeekBar({ recording, markers, tracks, startedAt }: Props) {
	const path = tracksPath(recording);
	const errors = useTrackErrors(path, tracks);
	const load = useWholeTrack(path, tracks, "load");
	const windows = useWholeTrack(path, tracks, "windows");
	const durationSeconds = usePlayerState((state) => state.durationSeconds);
	const stretches = recording.privacy ?? NO_STRETCHES;
	const bar = useRef<HTMLDivElement>(null);
	const [hover, setHover] = useState<Hover | null>(null);
	const player = usePlayer();
	/** The start of the part of the video that a pointer is selecting. */
	const chosenFrom = useRef<number | null>(null);
	const hoverOf = (event: PointerEvent): Hover | null => {
		const rect = bar.current?.getBoundingClientRect();
		if (event.pointerType === "touch" || rect === undefined || rect.width <= 2 * KNOB_PX) return null;
		const fraction = (event.clientX - rect.left - KNOB_PX) / (rect.width - 2 * KNOB_PX);
		return { x: event.clientX - rect.left, width: rect.width, fraction: Math.min(1, Math.max(0, fraction)) };
	};
	const follow = (event: PointerEvent) => {
		const next = hoverOf(event);
		if (next === null) return;
		setHover(next);
		if (chosenFrom.current !== null) player.loopBetween(chosenFrom.current, next.fraction * durationSeconds);
	};
	/** Shift and a drag select a part of the video. Without Shift, the slider itself seeks. */
	const beginStretch = (event: PointerEvent) => {
		const from = hoverOf(event);
		if (!event.shiftKey || event.button !== 0 || from === null) return;
		event.preventDefault();
		event.stopPropagation();
		bar.current?.setPointerCapture(event.pointerId);
		chosenFrom.current = from.fraction * durationSeconds;
	};
	const endStretch = () => {
		chosenFrom.current = null;
	};
	const nearSeconds = hover === null ? 0 : (NEAR_PX / (hover.width - 2 * KNOB_PX)) * durationSeconds;
	const pointed = (hover?.fraction ?? 0) * durationSeconds;
	const isNear = ({ seconds }: { seconds: number }) => Math.abs(seconds - pointed) <= nearSeconds;
	const near = hover === null ? undefined : markers.find(isNear);
	const nearError = hover === null || near !== undefined ? undefined : errors.find(isNear);
	const seconds = near?.seconds ?? nearError?.seconds ?? pointed;
	return (
		<div
			ref={bar}
			dir="ltr"
			className="relative flex pt-1.5"
			onPointerDownCapture={beginStretch}
			onPointerUp={endStretch}
			onPointerCancel={endStretch}
			onPointerEnter={follow}
			onPointerMove={follow}
			onPointerLeave={() => setHover(null)}
		>
			<PrivateStretches stretches={stretches} />
			<LoopRange />
			<LoadLine load={load} durationSeconds={durationSeconds} />
			<Slider stretches={stretches} windows={windows} load={load} />
			<MarkerTicks markers={markers} />
			<ErrorTicks errors={errors} />
			<Preview
				recording={recording}
				hover={durationSeconds > 0 ? hover : null}
				seconds={seconds}
				startedAt={startedAt}
				marker={near}
				privacy={privateWords(stretches, seconds)}
				error={nearError}
				chapter={chapterAt(windows, seconds)}
				words={loadWords(load, seconds)}
			/>
		</div>
	);
}

interface SliderProps {
	stretches: readonly PrivateStretch[];
	windows: readonly TrackLine[];
	load: readonly TrackLine[];
}

/** Apart from the clock, the only part of the player that changes with every frame. */
function Slider({ stretches, windows, load }: SliderProps) {
	const { seek } = usePlayer();
	const durationSeconds = usePlayerState((state) => state.durationSeconds);
	const seconds = usePlayerState(({ live, seconds, durationSeconds }) =>
		live?.following === true ? durationSeconds : Math.min(seconds, durationSeconds),
	);
	const known = [privateWords(stretches, seconds), chapterAt(windows, seconds), loadWords(load, seconds)].filter(
		(words) => words !== null,
	);
	const part = (100 * seconds) / (durationSeconds || 1);
	return (
		<>
			<input
				type="range"
				aria-label="Seek"
				aria-valuetext={[`${formatSpan(seconds)} of ${formatSpan(durationSeconds)}`, ...known].join(", ")}
				min={0}
				max={durationSeconds || 1}
				step="any"
				value={seconds}
				onChange={(event) => seek(event.target.valueAsNumber)}
				style={{ "--part": `${part}%` } as CSSProperties}
				className="peer scrub relative w-full rounded-sm"
			/>
			{known.length === 0 ? null : (
				// For keyboard users, the text that a pointer sees in the preview.
				<span
					aria-hidden
					style={{ left: `clamp(5.5rem, ${part}%, 100% - 5.5rem)` }}
					className="pointer-events-none absolute bottom-full z-10 hidden max-w-44 -translate-x-1/2 truncate rounded bg-black/80 px-1.5 py-0.5 text-xs text-white tabular-nums peer-focus-visible:block"
				>
					{known.map((words) => (
						<bdi key={words} className="block truncate">
							{words}
						</bdi>
					))}
				</span>
			)}
		</>
	);
}

/** The parts of the video that are black because the job was private. */
function PrivateStretches({ stretches }: { stretches: readonly PrivateStretch[] }) {
	const durationSeconds = usePlayerState((state) => state.durationSeconds);
	if (stretches.length === 0 || durationSeconds <= 0) return null;
	const percent = (seconds: number) => (100 * Math.min(seconds, durationSeconds)) / durationSeconds;
	return (
		<div aria-hidden className="pointer-events-none absolute inset-x-1.5 bottom-1 h-4">
			{stretches.map(({ from, to }) => (
				<span
					key={from}
					data-private
					style={{ left: `${percent(from)}%`, width: `${percent(to ?? durationSeconds) - percent(from)}%` }}
					className="private-stretch absolute inset-y-0.5 rounded-sm border border-line-strong"
				/>
			))}
		</div>
	);
}

/** The range that repeats. */
function LoopRange() {
	const loop = usePlayerState((state) => state.loop);
	const durationSeconds = usePlayerState((state) => state.durationSeconds);
	if (loop === null || durationSeconds <= 0) return null;
	const percent = (seconds: number) => (100 * Math.min(seconds, durationSeconds)) / durationSeconds;
	const start = percent(loop.start);
	return (
		<div aria-hidden className="pointer-events-none absolute inset-x-1.5 bottom-1 h-4">
			<span
				data-loop
				style={{ left: `${start}%`, width: `${percent(loop.end ?? durationSeconds) - start}%` }}
				className="absolute inset-y-0.5 rounded-sm border-x-2 border-accent bg-accent-soft"
			/>
		</div>
	);
}

/** The markers on the bar, each with its shape: a click seeks there. Keyboard users use the list next to the video. */
function MarkerTicks({ markers }: { markers: readonly TimedMarker[] }) {
	const { seek } = usePlayer();
	const durationSeconds = usePlayerState((state) => state.durationSeconds);
	if (durationSeconds <= 0) return null;
	return (
		<div aria-hidden className="pointer-events-none absolute inset-x-1.5 top-0 h-2.5">
			{markers.map(({ id, kind, seconds }) => (
				<button
					key={id}
					type="button"
					tabIndex={-1}
					data-tick={kind}
					style={{ left: `${Math.min(100, (100 * seconds) / durationSeconds)}%` }}
					onClick={() => seek(seconds)}
					className="pointer-events-auto absolute top-0 grid h-2.5 w-3 -translate-x-1/2 place-items-center"
				>
					<span className={clsx("block", MARKER_LOOKS[kind].tick)} />
				</button>
			))}
		</div>
	);
}

/** Nearer ones, as a part of the bar, are one tick. */
const LEAST_PART = 0.003;

/** The errors of all tracks: a click goes there. By keyboard, the list of their track does, with its filter. */
function ErrorTicks({ errors }: { errors: readonly TrackError[] }) {
	const { seek } = usePlayer();
	const durationSeconds = usePlayerState((state) => state.durationSeconds);
	if (durationSeconds <= 0) return null;
	const shown: TrackError[] = [];
	for (const error of errors) {
		const before = shown.at(-1);
		if (error.seconds > durationSeconds) break;
		if (before === undefined || (error.seconds - before.seconds) / durationSeconds >= LEAST_PART) shown.push(error);
	}
	return (
		<div aria-hidden className="pointer-events-none absolute inset-x-1.5 bottom-0.5 h-2">
			{shown.map(({ seconds }) => (
				<button
					key={seconds}
					type="button"
					tabIndex={-1}
					data-tick="error"
					style={{ left: `${(100 * seconds) / durationSeconds}%` }}
					onClick={() => seek(seconds)}
					className="pointer-events-auto absolute top-0 grid h-2 w-1.5 -translate-x-1/2 place-items-center"
				>
					<span className="block h-2 w-0.5 bg-danger" />
				</button>
			))}
		</div>
	);
}

interface PreviewProps {
	recording: Played;
	hover: Hover | null;
	/** The target position of a click. */
	seconds: number;
	startedAt: number | null;
	/** The marker under the pointer. */
	marker: TimedMarker | undefined;
	/** The private part under the pointer, in words. */
	privacy: string | null;
	/** The error under the pointer. */
	error: TrackError | undefined;
	/** The title of the window that was active. */
	chapter: string | null;
	/** The load of the machine. */
	words: string | null;
}

/**
 * A preview of the target of a click: its frame, its marker or error, its chapter and time, and the load of the
 * machine.
 */
function Preview({ recording, hover, seconds, startedAt, marker, privacy, error, chapter, words }: PreviewProps) {
	const { data: times } = useQuery({ ...storyboardQuery(recording), enabled: hover !== null && !recording.shared });
	const at = hover === null || times === undefined ? null : frameTime(times, seconds);
	const { src, loaded, onSettled } = useThrottledImage(at === null ? null : framePath(recording.id, at));
	if (hover === null) return null;
	const half = PREVIEW_PX / 2;
	const left = Math.min(Math.max(hover.x, half), Math.max(half, hover.width - half));
	return (
		<div
			aria-hidden
			data-preview
			style={{ left, width: PREVIEW_PX }}
			className="pointer-events-none absolute bottom-full z-10 mb-2 flex -translate-x-1/2 flex-col items-center gap-1"
		>
			{src === null ? null : (
				// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
				<img
					src={src}
					alt=""
					decoding="async"
					onLoad={() => onSettled(true)}
					onError={() => onSettled(false)}
					style={{ aspectRatio: `${recording.width ?? 16} / ${recording.height ?? 9}` }}
					className={
						loaded
							? "max-h-40 w-full rounded-md border border-line bg-black object-contain shadow-float"
							: "invisible h-0"
					}
				/>
			)}
			{marker === undefined ? null : <MarkerName marker={marker} />}
			{error === undefined ? null : (
				<span className="max-w-full truncate rounded border border-line bg-surface px-1.5 py-0.5 text-xs text-danger shadow-float">
					{error.text}
				</span>
			)}
			<span className="max-w-full rounded bg-black/80 px-1.5 py-0.5 text-xs font-medium text-white tabular-nums">
				{chapter === null ? null : <bdi className="block truncate">{chapter}</bdi>}
				{formatInstant(seconds)}
				{privacy === null ? null : <span className="block text-center">{privacy}</span>}
				{startedAt === null ? null : (
					<span className="ps-1.5 font-normal text-white/75">{formatClock(startedAt + seconds * 1000)}</span>
				)}
				{words === null ? null : <span className="block text-center font-normal">{words}</span>}
			</span>
		</div>
	);
}

function MarkerName({ marker }: { marker: TimedMarker }) {
	const { Icon, tone } = MARKER_LOOKS[marker.kind];
	return (
		<span className="flex max-w-full items-center gap-1.5 rounded border border-line bg-surface px-1.5 py-0.5 text-xs shadow-float">
			<Icon className={`size-3.5 shrink-0 ${tone}`} />
			<span className="truncate">{marker.label}</span>
		</span>
	);
}
