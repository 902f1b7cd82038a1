"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { readStored, store } from "#lib/client/browser-storage.ts";

/**
 * All keyboard shortcuts: their handlers are bound to these keys, and the shortcuts dialog lists them. A key is the
 * value of `event.key` in lower case, after `shift+` where Shift must be held; `mod+` is ⌘ on a Mac, otherwise Ctrl.
 */
export const SHORTCUTS = {
	search: ["/"],
	palette: ["mod+k"],
	notifications: ["alt+t"],
	shortcuts: ["?"],
	clearSelection: ["escape"],

	nextJob: ["j", "arrowdown"],
	previousJob: ["k", "arrowup"],
	openJob: ["enter"],
	selectJob: ["x"],
	selectToJob: ["shift+x"],
	selectNextJob: ["shift+arrowdown", "shift+j"],
	selectPreviousJob: ["shift+arrowup", "shift+k"],
	cancelJob: ["c"],
	closeJob: ["escape"],
	nextOpenJob: ["arrowdown"],
	previousOpenJob: ["arrowup"],
	newJob: ["n"],
	createJob: ["mod+enter"],

	cardLeft: ["arrowleft"],
	cardRight: ["arrowright"],
	cardUp: ["arrowup"],
	cardDown: ["arrowdown"],
	nextRecording: ["j"],
	previousRecording: ["k"],
	playRecording: ["enter"],
	markSeen: ["s"],
	selectRecording: ["x"],
	selectLeft: ["shift+arrowleft"],
	selectRight: ["shift+arrowright"],
	selectUp: ["shift+arrowup"],
	selectDown: ["shift+arrowdown"],
	selectNextRecording: ["shift+j"],
	selectPreviousRecording: ["shift+k"],
	deleteSelected: ["delete"],
	undoDelete: ["mod+z"],
	nextOpenRecording: ["shift+j"],
	previousOpenRecording: ["shift+k"],

	play: [" ", "k"],
	back10: ["j"],
	forward10: ["l"],
	back5: ["arrowleft"],
	forward5: ["arrowright"],
	previousFrame: [","],
	nextFrame: ["."],
	toStart: ["home"],
	toEnd: ["end"],
	toTenth: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
	previousMarker: ["shift+arrowleft"],
	nextMarker: ["shift+arrowright"],
	addMarker: ["a"],
	nextFailure: ["e"],
	previousFailure: ["shift+e"],
	compareOverlay: ["o"],
	compareFlip: ["b"],
	firstDifference: ["d"],
	slower: ["<"],
	faster: [">"],
	loopFrom: ["["],
	loopTo: ["]"],
	clearLoop: ["\\"],
	copyReport: ["r"],
	fullScreen: ["f"],
	pictureInPicture: ["i"],
	mute: ["m"],
} as const satisfies Record<string, readonly string[]>;

export type Shortcut = keyof typeof SHORTCUTS;

const TYPES_OR_CHOOSES =
	"input:not([type=checkbox], [type=range]), textarea, select, [role=menu], [role=listbox], [contenteditable]";
const PRESSED_BY_SPACE = "input[type=checkbox], button, a, summary";

/**
 * Whether the focused element uses the key itself: a text field, a menu (which finds its items by letter), a button.
 */
export function isTaken({ key, target }: KeyboardEvent): boolean {
	if (!(target instanceof Element)) return false;
	return target.closest(TYPES_OR_CHOOSES) !== null || (key === " " && target.closest(PRESSED_BY_SPACE) !== null);
}

/** The properties of a key event that are read. React's events have them too. */
type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "getModifierState">;

/** The pressed key as `SHORTCUTS` has it. AltGr, and Shift with a sign, are only how a keyboard types the sign. */
function keyOf(event: KeyPress): string {
	const types = event.getModifierState("AltGraph");
	const mod = (event.ctrlKey || event.metaKey) && !types ? "mod+" : "";
	const alt = event.altKey && !types ? "alt+" : "";
	const shift = event.shiftKey && (event.key.length > 1 || /^[\p{L}\p{N} ]$/u.test(event.key)) ? "shift+" : "";
	return mod + alt + shift + event.key.toLowerCase();
}

/** The shortcut among `shortcuts` that was pressed, whatever element has the focus. */
export function shortcutOf<S extends Shortcut>(event: KeyPress, shortcuts: readonly S[]): S | undefined {
	const key = keyOf(event);
	return shortcuts.find((shortcut) => (SHORTCUTS[shortcut] as readonly string[]).includes(key));
}

const OFF = "tapedeck.single-keys";
const switches = new Set<() => void>();

/** Whether keys without Ctrl, Alt or ⌘ that type a character act: not for those who turned them off in this browser. */
const singleKeysAreOn = (): boolean => readStored(OFF) !== "off";

/** Turns single keys on or off in this browser, also in its other tabs (WCAG 2.1.4). */
export function switchSingleKeys(on: boolean): void {
	store(OFF, on ? null : "off");
	for (const notify of switches) notify();
}

function followSwitch(notify: () => void): () => void {
	switches.add(notify);
	window.addEventListener("storage", notify);
	return () => {
		switches.delete(notify);
		window.removeEventListener("storage", notify);
	};
}

/** Whether single keys act in this browser. */
export const useSingleKeys = (): boolean => useSyncExternalStore(followSwitch, singleKeysAreOn, () => true);

/** Whether a key of `SHORTCUTS` is a single one: a letter, a digit or a sign, with Shift or without. */
export const isSingleKey = (key: string): boolean => /^(shift\+)?[^ +]$/.test(key);

const DIALOGS = '[role="dialog"], [role="alertdialog"]';

/**
 * Binds shortcuts of a page, wherever on it the focus is, except while typing.
 * @param allowed which open dialogs the shortcuts work in; none when left out
 */
export function useShortcuts(
	actions: Readonly<Partial<Record<Shortcut, (event: KeyboardEvent) => void>>>,
	allowed: (dialog: Element) => boolean = () => false,
): void {
	const latest = useRef({ actions, allowed });
	latest.current = { actions, allowed };
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.defaultPrevented || isTaken(event)) return;
			if (isSingleKey(keyOf(event)) && !singleKeysAreOn()) return;
			const { actions, allowed } = latest.current;
			const shortcut = shortcutOf(event, Object.keys(actions) as Shortcut[]);
			if (shortcut === undefined || ![...document.querySelectorAll(DIALOGS)].every(allowed)) return;
			event.preventDefault();
			actions[shortcut]?.(event);
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}

/** The name of the `mod` key on the user's keyboard. Works in the browser only. */
export const modKey = (): string => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl");
