"use client";

import { type RefObject, useEffect, useRef } from "react";
import type { PlayerStore } from "./player-store.ts";

/** The keys for markers. */
export interface MarkerKeys {
	add(): void;
	/** To the marker before (-1) or after (1) the position. */
	jump(direction: 1 | -1): void;
}

type Action = (player: PlayerStore, markers: MarkerKeys, event: KeyboardEvent) => void;

const ACTIONS: Readonly<Record<string, Action>> = {
	" ": (player) => player.toggle(),
	k: (player) => player.toggle(),
	j: (player) => player.skip(-10),
	l: (player) => player.skip(10),
	arrowleft: (player) => player.skip(-5),
	arrowright: (player) => player.skip(5),
	",": (player, _markers, event) => player.step(-1, event.repeat),
	".": (player, _markers, event) => player.step(1, event.repeat),
	"<": (player) => player.changeSpeed(-1),
	">": (player) => player.changeSpeed(1),
	home: (player) => player.seek(0),
	end: (player) => player.goToEnd(),
	"[": (player) => player.loopFrom(),
	"]": (player) => player.loopTo(),
	"\\": (player) => player.clearLoop(),
	a: (_player, markers) => markers.add(),
	f: (player) => player.toggleFullScreen(),
	m: (player) => player.toggleMuted(),
	i: (player) => player.pictureInPicture(),
};
const SHIFTED: Readonly<Record<string, Action>> = {
	arrowleft: (_player, markers) => markers.jump(-1),
	arrowright: (_player, markers) => markers.jump(1),
	"<": (player) => player.changeSpeed(-1),
	">": (player) => player.changeSpeed(1),
};

/** Held down, these would toggle back and forth. */
const ONCE = new Set([" ", "k", "f", "m", "i", "a"]);

function actionOf(event: KeyboardEvent): Action | undefined {
	const key = event.key.toLowerCase();
	if (event.repeat && ONCE.has(key)) return undefined;
	if (event.shiftKey && (key.length > 1 || key === "<" || key === ">")) return SHIFTED[key];
	// Letters with Shift are not the player's; punctuation may need Shift, depending on the keyboard.
	if (event.shiftKey && /^[a-z0-9 ]$/.test(key)) return undefined;
	if (/^\d$/.test(key)) return (player) => player.seek((player.getState().durationSeconds * Number(key)) / 10);
	return Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined;
}

/** Where keys mean something else: in text fields and menus, and for space on buttons. */
function isTaken(event: KeyboardEvent): boolean {
	const target = event.target as HTMLElement;
	if (target.isContentEditable) return true;
	if (target instanceof HTMLInputElement) return target.type !== "range";
	if (target.closest("textarea, select, [role=menu], [role=menuitem], [role=listbox]")) return true;
	return event.key === " " && target.closest("button, a, summary") !== null;
}

/** Whether another dialog than the one around the player is open. */
function isCovered(box: HTMLElement): boolean {
	return [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].some((one) => !one.contains(box));
}

/** The keys of the player, while it is on the page: wherever the focus is, except in text fields and dialogs above it. */
export function usePlayerKeys(box: RefObject<HTMLElement | null>, player: PlayerStore, markers: MarkerKeys): void {
	const latest = useRef({ player, markers });
	latest.current = { player, markers };
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			// AltGr is Ctrl and Alt, and needed for brackets on many keyboards.
			const modified = event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"));
			if (event.defaultPrevented || modified) return;
			const action = actionOf(event);
			if (action === undefined || box.current === null || isTaken(event) || isCovered(box.current)) return;
			event.preventDefault();
			action(latest.current.player, latest.current.markers, event);
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, [box]);
}
