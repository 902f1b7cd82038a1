"use client";

import type { Alignment } from "@tapedeck/contract/alignments.ts";
import { formatDuration, formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import {
	ChevronFirst,
	ChevronLast,
	Diff,
	FlipHorizontal2,
	Layers2,
	LoaderCircle,
	Minus,
	Pause,
	Play,
	Plus,
	RotateCcw,
	RotateCw,
} from "lucide-react";
import { type CSSProperties, useId, useSyncExternalStore } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { Button } from "#components/ui/button.tsx";
import { formatSpan } from "#lib/client/format.ts";
import type { TimedMarker } from "#lib/client/markers.ts";
import { IconButton } from "../player/icon-button.tsx";
import { MARKER_LOOKS, nextMarkerSeconds } from "../player/markers.tsx";
import { SpeedSelect } from "../player/speed-select.tsx";
import type { PairedPlayers, PairState } from "./paired-players.ts";
import { type Stretch, useFirstDifference } from "./use-first-difference.ts";

/** Side by side, or in one place: one over the other, or only one of them. */
export type CompareView = "beside" | "overlay" | "left" | "right";

interface TimeLineProps {
	pair: PairedPlayers;
	left: readonly TimedMarker[];
	right: readonly TimedMarker[];
}

interface Props extends TimeLineProps {
	/** The recordings of the two videos. */
	leftId: number;
	rightId: number;
	/** The part of the left video that is compared, such as its test. */
	stretch: Stretch;
	/** The moments that both videos have. */
	common: readonly Alignment[];
	view: CompareView;
	onView(view: CompareView): void;
}

const usePair = (pair: PairedPlayers): PairState => useSyncExternalStore(pair.subscribe, pair.getState, pair.getState);

/** Controls for both videos: one time line, one set of buttons and keys. */
export function CompareControls({ pair, leftId, rightId, stretch, left, right, common, view, onView }: Props) {
	const state = usePair(pair);
	const difference = useFirstDifference(pair, { leftId, rightId }, stretch);
	const shifted = right.map((marker) => ({ ...marker, seconds: marker.seconds - state.offset }));
	usePairKeys(
		pair,
		[...left, ...shifted].toSorted((a, b) => a.seconds - b.seconds),
	);
	useShortcuts({
		compareOverlay: () => onView(view === "overlay" ? "beside" : "overlay"),
		compareFlip: () => onView(flipped(view)),
		firstDifference: () => void difference.search(),
	});
	return (
		<section
			aria-label="Player controls"
			className="sticky bottom-0 flex flex-col rounded-lg border border-line bg-surface px-3 pb-2"
		>
			<TimeLine pair={pair} state={state} left={left} right={shifted} />
			<div className="flex flex-wrap items-center gap-x-4 gap-y-2">
				<div className="flex items-center gap-0.5">
					<IconButton
						label={state.playing ? "Pause" : "Play"}
						keys="Space or K"
						shortcuts="Space K"
						onClick={pair.toggle}
					>
						{state.playing ? <Pause aria-hidden /> : <Play aria-hidden />}
					</IconButton>
					<IconButton label="Back 10 seconds" keys="J" onClick={() => pair.skip(-10)}>
						<RotateCcw aria-hidden />
					</IconButton>
					<IconButton label="Forward 10 seconds" keys="L" onClick={() => pair.skip(10)}>
						<RotateCw aria-hidden />
					</IconButton>
					<IconButton label="Previous frame" keys="comma" shortcuts="," onClick={() => pair.step(-1)}>
						<ChevronFirst aria-hidden />
					</IconButton>
					<IconButton label="Next frame" keys="period" shortcuts="." onClick={() => pair.step(1)}>
						<ChevronLast aria-hidden />
					</IconButton>
					<IconButton
						label="Overlay"
						keys="O"
						aria-pressed={view === "overlay"}
						onClick={() => onView(view === "overlay" ? "beside" : "overlay")}
					>
						<Layers2 aria-hidden />
					</IconButton>
					<IconButton label="Flip between the videos" keys="B" onClick={() => onView(flipped(view))}>
						<FlipHorizontal2 aria-hidden />
					</IconButton>
					<IconButton
						label={difference.isSearching ? "Stop searching" : "Jump to the first difference"}
						keys="D"
						aria-busy={difference.isSearching}
						onClick={() => void difference.search()}
					>
						{difference.isSearching ? <LoaderCircle aria-hidden className="animate-spin" /> : <Diff aria-hidden />}
					</IconButton>
					{view === "beside" ? null : (
						<Button variant="ghost" size="small" onClick={() => onView("beside")}>
							Side by side
						</Button>
					)}
					<SpeedSelect speed={state.speed} onChange={(speed) => pair.setSpeed(speed)} />
				</div>
				<span className="text-xs text-muted tabular-nums">
					{`${formatInstant(state.seconds)} / ${formatDuration(state.end)}`}
				</span>
				<AlignmentFields pair={pair} offset={state.offset} common={common} />
			</div>
		</section>
	);
}

/** Switches to the other video in the same place, so that differences stand out. */
const flipped = (view: CompareView): CompareView => (view === "left" ? "right" : "left");

const signed = (value: number, format: (value: number) => string): string =>
	value < 0 ? `−${format(-value)}` : format(value);

function usePairKeys(pair: PairedPlayers, markers: readonly TimedMarker[]): void {
	const jump = (direction: 1 | -1) => {
		const target = nextMarkerSeconds(markers, pair.getState().seconds, direction);
		if (target !== null) pair.seek(target);
	};
	useShortcuts({
		play: (event) => {
			// Held down, the key counts once: it would toggle back and forth.
			if (!event.repeat) pair.toggle();
		},
		back10: () => pair.skip(-10),
		forward10: () => pair.skip(10),
		back5: () => pair.skip(-5),
		forward5: () => pair.skip(5),
		previousFrame: () => pair.step(-1),
		nextFrame: () => pair.step(1),
		toStart: () => pair.seek(pair.getState().start),
		toEnd: () => pair.seek(pair.getState().end),
		toTenth: ({ key }) => {
			const { start, end } = pair.getState();
			pair.seek(start + ((end - start) * Number(key)) / 10);
		},
		previousMarker: () => jump(-1),
		nextMarker: () => jump(1),
		slower: () => pair.changeSpeed(-1),
		faster: () => pair.changeSpeed(1),
	});
}

/** The common time line: the markers of the left video above it, those of the right one below. */
function TimeLine({ pair, state, left, right }: TimeLineProps & { state: PairState }) {
	const { start, end, seconds } = state;
	const length = end - start || 1;
	const percent = (at: number) => (100 * (at - start)) / length;
	return (
		<div dir="ltr" className="flex flex-col pt-1.5">
			<Ticks markers={left} percent={percent} onSeek={pair.seek} />
			<input
				type="range"
				aria-label="Seek"
				aria-valuetext={`${signed(seconds, formatSpan)} of ${formatSpan(end)}`}
				min={start}
				max={end || 1}
				step="any"
				value={seconds}
				onChange={(event) => pair.seek(event.target.valueAsNumber)}
				style={{ "--part": `${percent(seconds)}%` } as CSSProperties}
				className="scrub relative w-full rounded-sm"
			/>
			<Ticks markers={right} percent={percent} onSeek={pair.seek} />
		</div>
	);
}

interface TicksProps {
	markers: readonly TimedMarker[];
	percent(seconds: number): number;
	onSeek(seconds: number): void;
}

/** Mouse targets only: by keyboard, Shift and the arrows lead to the markers. */
const Ticks = ({ markers, percent, onSeek }: TicksProps) => (
	<div aria-hidden className="relative mx-1.5 h-3">
		{markers.map(({ id, kind, label, seconds }) => (
			<button
				key={id}
				type="button"
				tabIndex={-1}
				title={`${label} (${formatInstant(seconds)})`}
				style={{ left: `${Math.min(100, Math.max(0, percent(seconds)))}%` }}
				onClick={() => onSeek(seconds)}
				className="absolute top-0 grid h-3 w-3 -translate-x-1/2 place-items-center"
			>
				<span className={clsx("block", MARKER_LOOKS[kind].tick)} />
			</button>
		))}
	</div>
);

const START = "start";
const OWN = "own";

/** Chooses how the right video is aligned with the left one: at their starts, at a common moment, or by hand. */
function AlignmentFields({ pair, offset, common }: Pick<Props, "pair" | "common"> & { offset: number }) {
	const id = useId();
	const at = common.findIndex((one) => one.offset === offset);
	const value = offset === 0 ? START : at === -1 ? OWN : String(at);
	return (
		<div className="flex items-center gap-1 sm:ms-auto">
			<label htmlFor={id} className="text-xs whitespace-nowrap text-muted">
				Align at
			</label>
			<select
				id={id}
				value={value}
				onChange={({ target }) =>
					pair.align(target.value === START ? 0 : (common[Number(target.value)]?.offset ?? offset))
				}
				className="h-8 max-w-36 rounded-md border border-line-strong bg-surface px-2 text-xs"
			>
				<option value={START}>Start of video</option>
				{common.map((one, index) => (
					<option key={one.label} value={index}>
						{one.label}
					</option>
				))}
				{value === OWN ? <option value={OWN}>Custom</option> : null}
			</select>
			<IconButton label="Shift the right video 0.1 s earlier" onClick={() => pair.align(offset - 0.1)}>
				<Minus aria-hidden />
			</IconButton>
			<output className="w-14 text-center text-xs tabular-nums" aria-label="Offset of the right video">
				{`${offset < 0 ? "−" : "+"}${Math.abs(offset).toFixed(1)} s`}
			</output>
			<IconButton label="Shift the right video 0.1 s later" onClick={() => pair.align(offset + 0.1)}>
				<Plus aria-hidden />
			</IconButton>
		</div>
	);
}
