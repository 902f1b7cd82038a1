"use client";

import { useEffect, useRef } from "react";

const DIALOGS = '[role="dialog"], [role="alertdialog"]';

/** Whether the key belongs to what has the focus: typing, choosing, and menus, which find their items by letter. */
const isTaken = (target: EventTarget | null): boolean =>
	target instanceof HTMLElement &&
	(target.isContentEditable ||
		target.closest("input:not([type=checkbox]), textarea, select, [role=menu], [role=listbox]") !== null);

/** Shift only makes the sign where a keyboard needs it for that; with anything else it is a modifier. */
const nameOf = (event: KeyboardEvent): string =>
	(event.shiftKey && !/^[/?]$/.test(event.key) ? "shift+" : "") + event.key.toLowerCase();

/**
 * Keys of a page, wherever on it the focus is, except while typing or with Control, Alt or Meta.
 * @param actions by `event.key` in lower case, after `shift+` when that has to be held
 * @param allowed which open dialogs the keys work in; none when left out
 */
export function useKeys(
	actions: Readonly<Record<string, () => void>>,
	allowed: (dialog: Element) => boolean = () => false,
): void {
	const latest = useRef({ actions, allowed });
	latest.current = { actions, allowed };
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
			const { actions, allowed } = latest.current;
			const name = nameOf(event);
			const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
			if (action === undefined || ![...document.querySelectorAll(DIALOGS)].every(allowed)) return;
			event.preventDefault();
			action();
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}
