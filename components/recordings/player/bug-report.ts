/** The text of a bug report about a moment of a recording, as Markdown for an issue, a pull request or a chat. */

import { aboutTime } from "@tapedeck/contract/about-time.ts";
import { markdownBlock, markdownCode, markdownText } from "@tapedeck/contract/markdown.ts";
import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import type { TrackLine } from "@tapedeck/contract/track.ts";
import { MAX_CLIP_SECONDS } from "@tapedeck/contract/video-kinds.ts";
import { formatInstant, formatPosition } from "@tapedeck/contract/video-time.ts";
import type { Loop } from "./player-store.ts";

/** A part of a video, in seconds. */
export interface Stretch {
	from: number;
	to: number;
}

/** The seconds before and after the moment, if no part of the video was selected. */
const AROUND_SECONDS = 5;

interface Moments {
	/** The selected part of the video. It is used only once it has an end. */
	loop: Loop | null;
	/** When something failed; null if nothing did. */
	failureSeconds: number | null;
	/** The position. */
	seconds: number;
	durationSeconds: number;
}

/**
 * The part of the video to report: the selected one, otherwise 5 s before to 5 s after the failure, otherwise around
 * the position. At most as long as a clip can be, rounded to milliseconds.
 */
export function stretchOf({ loop, failureSeconds, seconds, durationSeconds }: Moments): Stretch {
	const middle = Math.min(failureSeconds ?? seconds, durationSeconds);
	const chosen = loop !== null && loop.end !== null ? { from: loop.start, to: loop.end } : null;
	const { from, to } = chosen ?? { from: middle - AROUND_SECONDS, to: middle + AROUND_SECONDS };
	const start = Math.max(0, from);
	return { from: ms(start), to: ms(Math.min(to, durationSeconds, start + MAX_CLIP_SECONDS)) };
}

/**
 * The moment of a report: the failure or the position, if it is in the reported part, otherwise the start of the part.
 */
export const momentOf = ({ failureSeconds, seconds }: Moments, { from, to }: Stretch): number =>
	ms([failureSeconds, seconds].find((at) => at !== null && at >= from && at <= to) ?? from);

/** Whether a moment of `momentOf` is that of the failure. */
export const isFailure = ({ failureSeconds, seconds }: Pick<Moments, "failureSeconds" | "seconds">): boolean =>
	failureSeconds !== null && seconds === ms(failureSeconds);

const failureTime = ({ failureSeconds, isApproximate }: { failureSeconds: number; isApproximate: boolean }): string =>
	isApproximate ? aboutTime({ isApproximate }, formatPosition(failureSeconds)) : formatInstant(failureSeconds);

const ms = (seconds: number): number => Math.round(seconds * 1000) / 1000;

export interface BugReport {
	title: string;
	/** The outcome in words; null if there is none. */
	outcome: string | null;
	/** The error as it was reported. */
	message: string | null;
	labels: Readonly<Record<string, string>>;
	/** When it failed; null if nothing did, or if that is not known. */
	failureSeconds: number | null;
	/** Whether the time of the failure is not exact. */
	isApproximate: boolean;
	/** The position of the moment. */
	seconds: number;
	stretch: Stretch;
	/** Whole addresses. A clip or a frame around a time that is not exact may show something else, and is null. */
	links: { moment: string; clip: string | null; frame: string | null };
	/** Errors in order of time, each with its track. */
	errors: readonly (Pick<TrackLine, "offsetSeconds" | "text"> & { track: string })[];
}

/** Escapes all texts, so that they are shown as they are and cannot end the Markdown around them. */
export function bugReport({
	title,
	outcome,
	message,
	labels,
	failureSeconds,
	isApproximate,
	seconds,
	stretch,
	links,
	errors,
}: BugReport): string {
	const { from, to } = stretch;
	const pairs = Object.entries(labels);
	const lines = errors.map(
		({ offsetSeconds, track, text }) =>
			`${offsetSeconds === null ? "" : `${formatInstant(offsetSeconds)} `}${track}: ${withoutColours(text)}`,
	);
	const failed = failureSeconds === null ? null : failureTime({ failureSeconds, isApproximate });
	const at = isFailure({ failureSeconds, seconds }) ? failed : formatInstant(seconds);
	return [
		`### ${markdownText(title)}`,
		outcome === null ? null : `**${outcome}**${failed === null ? "" : ` at ${failed}`}`,
		message === null ? null : markdownBlock(message),
		[
			`- [Video at ${at}](${links.moment})`,
			...(links.clip === null ? [] : [`- [Clip from ${formatInstant(from)} to ${formatInstant(to)}](${links.clip})`]),
			...(links.frame === null ? [] : [`- [Frame at ${formatInstant(seconds)}](${links.frame})`]),
			...(pairs.length === 0 ? [] : [`- Labels: ${pairs.map((pair) => markdownCode(pair.join("="))).join(", ")}`]),
		].join("\n"),
		lines.length === 0 ? null : `Last errors:\n\n${markdownBlock(lines.join("\n"))}`,
	]
		.filter((part) => part !== null)
		.join("\n\n")
		.concat("\n");
}
