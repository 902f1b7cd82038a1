/**
 * The window that a recording shows. ffmpeg could capture the window itself, but fails once a part of it is beyond an edge
 * of the display, and leaves out what opens over it, such as a menu. So a region of the display is captured that follows the
 * window.
 */
import type { Region } from "@tapedeck/contract/video-kinds.ts";
import { findWindow, placeOf, type XRequests } from "../displays/x11-windows.ts";
import { isSameRegion } from "./recorded-area.ts";

export class FollowedWindow {
	readonly #wanted: string;
	#id: number | null = null;
	#place: Region | null;
	/** Position at the last look. A window that is being moved differs each time. */
	#seen: Region | null = null;

	/**
	 * @param wanted its id, such as `0x1e00003`, or a part of its title.
	 * @param place where it was as far as is known, such as to a previous runner.
	 */
	constructor(wanted: string, place: Region | null = null) {
		this.#wanted = wanted;
		this.#place = place;
	}

	/** The last place at which the window stayed for two looks; null before it was found. */
	get place(): Region | null {
		return this.#place;
	}

	/** Whether the last look saw it. */
	get isShown(): boolean {
		return this.#seen !== null;
	}

	/** Looks where it is now. If it is closed, another one with its title counts. */
	async look(x: XRequests): Promise<void> {
		let now = this.#id === null ? null : await placeOf(x, this.#id);
		if (now === null) {
			this.#id = await findWindow(x, this.#wanted);
			now = this.#id === null ? null : await placeOf(x, this.#id);
		}
		const isFirst = this.#place === null;
		if (now !== null && (isFirst || (this.#seen !== null && isSameRegion(now, this.#seen)))) this.#place = now;
		this.#seen = now;
	}
}
