/**
 * Records the active window of a display as the track `windows` of each recording: a line each time that another window
 * becomes active or its title changes. These lines are the chapters of the video.
 */
import { readFile } from "node:fs/promises";
import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { aborted, pause } from "../base/wait.ts";
import { activeWindow, type Title, type XRequests } from "../displays/x11-windows.ts";
import { trackFile } from "../spool/track-files.ts";
import { TrackWriter } from "../spool/track-writer.ts";

const TRACK = "windows";
/** A title that changes more often has no more lines. */
const EVERY_MS = 1_000;
const MAX_CHARACTERS = 256;

/** The display of a recording. */
interface WatchedDisplay {
	/** Null while it cannot be asked. */
	requests(): XRequests | null;
	/** Whether nothing of it must be recorded. */
	isHidden(): boolean;
}

interface Options {
	display: WatchedDisplay;
	/** Masks secrets in titles. */
	mask: SecretMask;
	/** In milliseconds since 1970; null if unknown. */
	firstFrameAt: number | null;
}

/** A line without its time. */
interface Chapter {
	text: string;
	/** The id of the window, as X programs write it; null for a line that only ends the chapter before it. */
	window: string | null;
}

const NO_WINDOW: Chapter = { text: "(no window)", window: null };
const PRIVATE: Chapter = { text: "(private)", window: null };

/**
 * Writes the track until the signal aborts, into the spool folder of the recording. There is no track until a window
 * with a title is active. Never throws.
 */
export async function recordWindows(folder: string, options: Options, over: AbortSignal): Promise<void> {
	const chapters = new Chapters(folder);
	// A display that hangs never answers.
	await Promise.race([follow(chapters, options, over).catch(() => undefined), aborted(over)]);
	chapters.close();
}

async function follow(chapters: Chapters, { display, mask, firstFrameAt }: Options, over: AbortSignal): Promise<void> {
	await chapters.restore();
	for (let looks = 0; !over.aborted; looks++) {
		const chapter = await look(display, mask);
		const now = Date.now();
		// If the first look is soon after the first frame, its result counts from the beginning of the video.
		const isBeginning = looks === 0 && firstFrameAt !== null && now - firstFrameAt < EVERY_MS;
		if (chapter !== null && !over.aborted) chapters.add(chapter, isBeginning ? firstFrameAt : now);
		await pause(EVERY_MS, over);
	}
}

/** @returns null while that is not known. */
async function look(display: WatchedDisplay, mask: SecretMask): Promise<Chapter | null> {
	if (display.isHidden()) return PRIVATE;
	const requests = display.requests();
	if (requests === null) return null;
	const active = await activeWindow(requests);
	// A private span that has begun in the meantime may already have a title.
	if (display.isHidden()) return PRIVATE;
	// An answer of a display that has been replaced in the meantime does not count either.
	if (display.requests() !== requests) return null;
	const text = active === null ? "" : titleText(active.title, mask);
	return active === null || text === "" ? NO_WINDOW : { text, window: `0x${active.id.toString(16)}` };
}

/** A title on one line, without secrets, of at most 256 characters; empty when nothing visible is left. */
export const titleText = ({ text, isCut }: Title, mask: SecretMask): string =>
	sanitizeName(isCut ? mask.applyToCut(text) : mask.apply(text), MAX_CHARACTERS);

class Chapters {
	readonly #folder: string;
	#track: TrackWriter | null = null;
	#last: Chapter | null = null;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Continues after the lines that the runner wrote before a restart. */
	async restore(): Promise<void> {
		const written = await readFile(trackFile(this.#folder, TRACK), "utf8").catch(() => "");
		const line = written.slice(written.trimEnd().lastIndexOf("\n") + 1);
		try {
			const { text, data } = JSON.parse(line);
			this.#last = { text, window: data.window };
		} catch {
			// The line is missing, or was cut by a full disk.
		}
	}

	/** @param at in milliseconds since 1970. @throws as `open` does. */
	add({ text, window }: Chapter, at: number): void {
		// Before the first title, there is no chapter that could end.
		if (this.#last === null && window === null) return;
		if (this.#last?.text === text && this.#last.window === window) return;
		this.#track ??= new TrackWriter(this.#folder, TRACK);
		this.#track.add({ at, text, data: { window } });
		this.#last = { text, window };
	}

	/** Writes the remaining lines. */
	close(): void {
		this.#track?.close();
	}
}
