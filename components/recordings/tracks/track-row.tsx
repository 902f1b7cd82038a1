import type { TrackKind, TrackLine } from "@tapedeck/contract/track.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { ColoredText } from "./colored-text.tsx";
import { networkCallOf, shortUrl } from "./network-call.ts";

/** The minimum height of a pointer target. */
export const ROW_PX = 24;
/** The maximum length of a line in its row. The whole line is shown below the list. */
const MAX_CHARACTERS = 500;

interface Props {
	id: string;
	line: TrackLine;
	kind: TrackKind;
	/** Whether the video is at this line. */
	isCurrent: boolean;
	/** Whether the keyboard cursor is at this line. */
	isActive: boolean;
	/** Shown in full below the list. */
	isSelected: boolean;
	/** Shortly before or after the failure. */
	isNearFailure: boolean;
	onChoose(): void;
}

const LEVELS = { error: "Error", warn: "Warning", info: null, debug: null } as const;

/** A line, cut off where it does not fit. Keyboard events are handled by the list itself. */
export function TrackRow({ id, line, kind, isCurrent, isActive, isSelected, isNearFailure, onChoose }: Props) {
	const { level, offsetSeconds } = line;
	const name = level === null ? null : LEVELS[level];
	const call = kind === "network" ? networkCallOf(line) : null;
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
		<div
			id={id}
			role="option"
			aria-selected={isSelected}
			aria-current={isCurrent ? "true" : undefined}
			data-near-failure={isNearFailure ? "" : undefined}
			tabIndex={-1}
			onClick={onChoose}
			style={{ height: ROW_PX }}
			className={clsx(
				"flex cursor-pointer items-center gap-2 border-s-3 pe-3 ps-1.5 font-mono text-xs whitespace-pre hover:bg-hover",
				isNearFailure ? "border-s-danger" : isCurrent ? "border-s-accent" : "border-s-transparent",
				isCurrent ? "bg-accent-soft" : isSelected && "bg-inset",
				isActive &&
					"group-focus-visible/lines:outline-2 group-focus-visible/lines:outline-accent group-focus-visible/lines:-outline-offset-2",
			)}
		>
			<span className="w-14 shrink-0 text-end text-muted tabular-nums">
				{offsetSeconds === null ? "" : formatInstant(offsetSeconds)}
			</span>
			{name === null ? null : <span className="sr-only">{`${name}: `}</span>}
			{call === null ? (
				<span className={clsx("min-w-0 flex-1 truncate", toneOf(level))}>
					<ColoredText text={firstLine(line.text)} max={MAX_CHARACTERS} />
				</span>
			) : (
				<>
					<span className="w-11 shrink-0 truncate">{call.method}</span>
					<span className={clsx("w-8 shrink-0 truncate", toneOf(level))}>{call.status}</span>
					<span className={clsx("min-w-0 flex-1 truncate", toneOf(level))}>
						{shortUrl(call.url).slice(0, MAX_CHARACTERS)}
					</span>
					<span className="w-12 shrink-0 truncate text-end text-muted tabular-nums">{call.time}</span>
					<span className="w-13 shrink-0 truncate text-end text-muted tabular-nums">{call.size}</span>
				</>
			)}
		</div>
	);
}

const toneOf = (level: TrackLine["level"]) =>
	clsx(
		level === "error" && "font-medium text-danger",
		level === "warn" && "text-warn",
		level === "debug" && "text-muted",
	);

/** The first line of a text, marked if there are more. */
function firstLine(text: string): string {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	return lines.length > 1 ? `${lines[0]} …` : (lines[0] ?? "");
}

/** The column heads of a network track. Hidden from screen readers, because the rows contain this information. */
export const NetworkHead = () => (
	<div
		aria-hidden
		className="flex shrink-0 items-center gap-2 border-b border-line py-1 ps-2.25 pe-3 text-xs whitespace-nowrap text-muted"
	>
		<span className="w-14 shrink-0 text-end">At</span>
		<span className="w-11 shrink-0 truncate">Method</span>
		<span className="w-8 shrink-0 truncate">Status</span>
		<span className="min-w-0 flex-1 truncate">URL</span>
		<span className="w-12 shrink-0 truncate text-end">Time</span>
		<span className="w-13 shrink-0 truncate text-end">Size</span>
	</div>
);
