"use client";

import type { RefObject } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import type { PlayerStore } from "./player-store.ts";

/** Actions of keys that do not drive the video. */
export interface PlayerKeys {
	/** Opens the form for a marker. */
	add(): void;
	/** Jumps to the marker before (-1) or after (1) the position. */
	jump(direction: 1 | -1): void;
	/** Left out where there is nothing to report. */
	copyReport: (() => void) | undefined;
}

/** Held down, the key counts once: it would toggle back and forth. */
const once = (act: () => void) => (event: KeyboardEvent) => {
	if (!event.repeat) act();
};

/** The keys of the player, while it is on the page: wherever the focus is, except in text fields and dialogs above it. */
export function usePlayerKeys(box: RefObject<HTMLElement | null>, player: PlayerStore, keys: PlayerKeys): void {
	useShortcuts(
		{
			play: once(player.toggle),
			back10: () => player.skip(-10),
			forward10: () => player.skip(10),
			back5: () => player.skip(-5),
			forward5: () => player.skip(5),
			previousFrame: (event) => player.step(-1, event.repeat),
			nextFrame: (event) => player.step(1, event.repeat),
			toStart: () => player.seek(0),
			toEnd: player.goToEnd,
			toTenth: (event) => player.seek((player.getState().durationSeconds * Number(event.key)) / 10),
			previousMarker: () => keys.jump(-1),
			nextMarker: () => keys.jump(1),
			addMarker: once(keys.add),
			slower: () => player.changeSpeed(-1),
			faster: () => player.changeSpeed(1),
			loopFrom: player.loopFrom,
			loopTo: player.loopTo,
			clearLoop: player.clearLoop,
			...(keys.copyReport === undefined ? {} : { copyReport: once(keys.copyReport) }),
			fullScreen: once(player.toggleFullScreen),
			pictureInPicture: once(player.pictureInPicture),
			mute: once(player.toggleMuted),
		},
		(dialog) => dialog.contains(box.current),
	);
}
