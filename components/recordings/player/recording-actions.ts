"use client";

import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import type { Track } from "@tapedeck/contract/track.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { copyText } from "#components/ui/copy-button.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { errorOf, queryString } from "#lib/client/api.ts";
import type { Played } from "#lib/client/recordings.ts";
import { isListed, readLines, tracksPath } from "#lib/client/tracks.ts";
import { useDeleteRecordings } from "../use-delete-recordings.ts";
import { type BugReport, bugReport, isFailure, momentOf, type Stretch, stretchOf } from "./bug-report.ts";
import { pathAt } from "./player-link.ts";
import type { PlayerStore } from "./player-store.ts";

export interface RecordingActions {
	copyLink(): void;
	/** Copies the current frame as PNG; saves it where the browser does not allow copying. */
	copyFrame(): void;
	saveFrame(): void;
	/** Copies the data for a bug report as Markdown. */
	copyReport(): void;
	/** Saves the reported part as a small video. */
	saveClip(): void;
	delete(): void;
}

/** The contents of a bug report about a recording, except the selected part of the video. */
export interface Reported
	extends Pick<BugReport, "title" | "outcome" | "message" | "failureSeconds" | "isApproximate"> {
	/** The test result that the page shows; null without one. */
	resultId: number | null;
	/** When the test ran whose result the page shows, in seconds; null without one, and `to` while it runs. */
	ran: { from: number; to: number | null } | null;
	tracks: readonly Track[];
}

interface Acted {
	recording: Played;
	player: PlayerStore;
	/** The contents of a bug report, except the selected part of the video. */
	reported: Reported;
	onDeleted: (() => void) | undefined;
}

/** The actions on a recording in the player, each with its toast. */
export function useRecordingActions({ recording, player, reported, onDeleted }: Acted): RecordingActions {
	const deleteRecordings = useDeleteRecordings();

	const copyLink = async () => {
		const seconds = player.currentSeconds();
		const page = recording.shared ? location.pathname : `/recordings/${recording.id}`;
		const link = `${location.origin}${pathAt(page, seconds, reported.resultId)}`;
		if (await copyText(link)) toast.success(`Copied the link at ${formatInstant(seconds)}.`);
		else toast.error(`Your browser blocked copying. The link is ${link}`);
	};
	const keepFrame = async (copy: boolean) => {
		const { video } = player;
		if (video === null || video.videoWidth === 0) return void toast.error("There is no frame to copy yet.");
		const at = formatInstant(video.currentTime);
		if (copy && (await copyFrame(video))) return void toast.success(`Copied the frame at ${at}.`);
		saveAs(await pngOf(video), `${recording.name} at ${inFileName(at)}.png`);
		const saved = `Saved the frame at ${at} as a file.`;
		toast.success(copy ? `Your browser blocked copying images. ${saved}` : saved);
	};
	const moments = () => {
		const { loop, durationSeconds } = player.getState();
		return { loop, durationSeconds, failureSeconds: reported.failureSeconds, seconds: player.currentSeconds() };
	};
	const copyReport = async () => {
		const now = moments();
		const stretch = stretchOf(now);
		const text = reportOf(recording, reported, {
			stretch,
			isChosen: now.loop?.end != null,
			at: momentOf(now, stretch),
		});
		if (await copyLater(text))
			toast.success(`Copied the bug report of ${formatInstant(stretch.from)} to ${formatInstant(stretch.to)}.`);
		else toast.error("Your browser blocked copying the bug report.");
	};
	const saveClip = () => {
		const stretch = stretchOf(moments());
		const name = `${formatInstant(stretch.from)} to ${formatInstant(stretch.to)}`;
		toast(`Preparing the clip from ${name}.`);
		void toastOutcome(downloadClip(recording, stretch), {
			done: `Saved the clip from ${name} as a file.`,
			failed: `Couldn't make the clip from ${name}.`,
		});
	};
	return {
		copyReport: () => void copyReport(),
		saveClip,
		copyLink: () => void copyLink(),
		copyFrame: () => void keepFrame(true),
		saveFrame: () => void keepFrame(false),
		delete: () => deleteRecordings([recording], onDeleted),
	};
}

const PNG = "image/png";

/**
 * @returns false if the browser denies pages access to the clipboard, as it does for pages that are not served
 *   securely.
 */
async function copyFrame(video: HTMLVideoElement): Promise<boolean> {
	if (navigator.clipboard?.write === undefined || typeof ClipboardItem === "undefined") return false;
	try {
		// The promise itself is handed over: some browsers allow writing only at the very moment of the click.
		await navigator.clipboard.write([new ClipboardItem({ [PNG]: pngOf(video) })]);
		return true;
	} catch {
		return false;
	}
}

/** The number of errors in a report: the last ones of all tracks. */
const LAST_ERRORS = 10;

async function reportOf(
	recording: Played,
	{ title, outcome, message, tracks, resultId, failureSeconds, ran, isApproximate }: Reported,
	{ stretch, isChosen, at: seconds }: { stretch: Stretch; isChosen: boolean; at: number },
): Promise<string> {
	const { id, labels } = recording;
	const { from, to } = stretch;
	const path = `${location.origin}/v1/recordings/${id}`;
	const atFailure = isFailure({ failureSeconds, seconds });
	// A link to a result opens shortly before its failure by itself.
	const shown = resultId !== null && atFailure ? 0 : seconds;
	// At a time that is not exact, another test may have run.
	const isUnsure = isApproximate && atFailure && !isChosen;
	const links = {
		moment: `${location.origin}${pathAt(`/recordings/${id}`, shown, resultId)}`,
		clip: isUnsure ? null : `${path}/clip?from=${from}&to=${to}`,
		frame: isUnsure ? null : `${path}/frame?at=${seconds}&width=${FRAME_WIDTH}`,
	};
	const tracksAt = isUnsure ? null : tracksPath(recording);
	// Before and after the test, others ran.
	const span = isChosen || ran === null ? { from: undefined, to } : { from: ran.from, to: Math.min(ran.to ?? to, to) };
	const errors = tracksAt === null ? [] : await lastErrors(tracksAt, tracks, span);
	const failure = { outcome, message, failureSeconds, isApproximate };
	return bugReport({ title, labels, ...failure, seconds, stretch, links, errors });
}

/** Wide enough to read; a narrower video keeps its own width. */
const FRAME_WIDTH = 1280;

/**
 * Errors in order of time. Leaves out tracks that cannot be read, and empty lines, such as those that programs print
 * around errors.
 */
async function lastErrors(
	path: string,
	tracks: readonly Track[],
	{ from, to }: { from: number | undefined; to: number },
): Promise<BugReport["errors"]> {
	const wanted = tracks.filter(isListed);
	const pages = await Promise.allSettled(
		wanted.map(({ name }) =>
			readLines({ path, name }, { q: "", level: "error" }, { from, to, order: "desc", limit: LAST_ERRORS }),
		),
	);
	return pages
		.flatMap((page, index) =>
			page.status === "rejected" ? [] : page.value.data.map((line) => ({ ...line, track: wanted[index]?.name ?? "" })),
		)
		.filter(({ text }) => withoutColours(text).trim() !== "")
		.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
		.slice(-LAST_ERRORS);
}

/** @returns false where the browser does not allow it. */
async function copyLater(text: Promise<string>): Promise<boolean> {
	if (navigator.clipboard?.write !== undefined && typeof ClipboardItem !== "undefined") {
		try {
			// The promise itself is handed over: some browsers allow writing only at the very moment of the click.
			const blob = text.then((whole) => new Blob([whole], { type: PLAIN }));
			await navigator.clipboard.write([new ClipboardItem({ [PLAIN]: blob })]);
			return true;
		} catch {
			// Access to the clipboard was denied. The way used over plain HTTP may be allowed.
		}
	}
	return copyText(await text);
}

const PLAIN = "text/plain";

/** @throws ApiError with the reason why there is no clip. */
async function downloadClip({ id, name }: Played, { from, to }: Stretch): Promise<void> {
	const response = await fetch(`/v1/recordings/${id}/clip${queryString({ from, to })}`, { credentials: "same-origin" });
	if (!response.ok) throw errorOf(response.status, await response.json().catch(() => null));
	saveAs(await response.blob(), `${name} ${inFileName(formatInstant(from))} to ${inFileName(formatInstant(to))}.mp4`);
}

/** A time without what file names cannot have. */
const inFileName = (time: string): string => time.replaceAll(":", ".");

/** @param name of the file; characters that file names cannot have are replaced. */
function saveAs(file: Blob, name: string): void {
	const url = URL.createObjectURL(file);
	const link = document.createElement("a");
	link.href = url;
	link.download = name.replace(/[\\/:*?"<>|]/g, "-");
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function pngOf(video: HTMLVideoElement): Promise<Blob> {
	const canvas = document.createElement("canvas");
	canvas.width = video.videoWidth;
	canvas.height = video.videoHeight;
	canvas.getContext("2d")?.drawImage(video, 0, 0);
	return new Promise((resolve, reject) =>
		canvas.toBlob((blob) => (blob === null ? reject(new Error("the frame has no image")) : resolve(blob)), PNG),
	);
}
