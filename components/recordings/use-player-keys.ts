"use client";

import { type RefObject, useEffect, useRef } from "react";
import type { Player } from "./use-player.ts";

/** Where keys mean something else: typing, choosing, and buttons when it is space or enter. */
function isTaken(event: KeyboardEvent): boolean {
	const target = event.target as HTMLElement;
	if (target.isContentEditable) return true;
	if (target instanceof HTMLInputElement) return target.type !== "range";
	if (target.closest("textarea, select, [role=menu], [role=menuitem]")) return true;
	return event.key === " " && target.closest("button, a, summary") !== null;
}

/** Whether another dialog than the one around the player is open. */
function isCovered(box: HTMLElement): boolean {
	return [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].some((one) => !one.contains(box));
}

const ACTIONS: Record<string, (player: Player) => void> = {
	" ": (player) => player.toggle(),
	k: (player) => player.toggle(),
	j: (player) => player.skip(-10),
	l: (player) => player.skip(10),
	arrowleft: (player) => player.skip(-5),
	arrowright: (player) => player.skip(5),
	",": (player) => player.step(-1),
	".": (player) => player.step(1),
	f: (player) => player.fullScreen(),
};

/** The keys of the player, for as long as it is on the page. */
export function usePlayerKeys(box: RefObject<HTMLElement | null>, player: Player): void {
	const latest = useRef(player);
	latest.current = player;
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
			const action = ACTIONS[event.key.toLowerCase()];
			if (action === undefined || box.current === null || isTaken(event) || isCovered(box.current)) return;
			event.preventDefault();
			action(latest.current);
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, [box]);
}
