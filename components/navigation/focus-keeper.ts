"use client";

import { useEffect } from "react";

/**
 * Keeps the focus when its element is removed: a label, a key, a row, a form that has closed. Browsers would move it to
 * the page, and the next Tab would begin at the top. It moves to the element that is now in the same place, or else to
 * the nearest one.
 */

const TABBABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
/** Elements over the page: when they close, the focus returns to its earlier place. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [data-sonner-toaster]';
/** The search for a neighbour ends here, with the heading. */
const FRAME = `main, ${OVERLAY}`;
/** An item of a list of virtual rows, which leaves the document when it is scrolled away. */
const VIRTUAL = "[data-virtual]";
/** The time in which the code that removed the element has moved the focus, if it does so. */
const SETTLED_MS = 50;

/**
 * The place of an element: its ancestors from the nearest, each with the index of the child that contains the element.
 */
interface Trail {
	element: HTMLElement;
	steps: { parent: Element; child: Element; index: number }[];
	pathname: string;
}

function trailOf(element: HTMLElement): Trail {
	const steps: Trail["steps"] = [];
	for (let child: Element = element; child.parentElement !== null; child = child.parentElement) {
		const parent = child.parentElement;
		steps.push({ parent, child, index: [...parent.children].indexOf(child) });
	}
	return { element, steps, pathname: location.pathname };
}

/** The element over the page that contains the element, or is the element. */
const overlayOf = ({ element, steps }: Trail): Element | undefined =>
	[element, ...steps.map(({ parent }) => parent)].find((one) => one.matches(OVERLAY));

const isTabbable = (element: Element): element is HTMLElement =>
	element instanceof HTMLElement &&
	element.tabIndex >= 0 &&
	!element.matches(":disabled") &&
	element.closest("[aria-hidden=true], [inert]") === null &&
	element.getClientRects().length > 0;

const tabbablesIn = (box: Element): HTMLElement[] =>
	[...(box.matches(TABBABLE) ? [box] : []), ...box.querySelectorAll(TABBABLE)].filter(isTabbable);

/** The heading of a page or a dialog, for want of anything to press. */
function headingOf(frame: Element): HTMLElement | null {
	const heading = frame.querySelector<HTMLElement>("h1, h2, h3");
	heading?.setAttribute("tabindex", "-1");
	return heading;
}

/** The element that is now in the place of a removed one, or next to it. */
function besideOf({ element, steps }: Trail): HTMLElement | null {
	const left = steps.slice(steps.findIndex(({ parent }) => parent.isConnected));
	const removed = left[0]?.child;
	if (removed === undefined) return null;
	// For a row with several buttons, the same button in another row.
	const ordinal = [...removed.querySelectorAll(TABBABLE)].indexOf(element);
	const inRow = (other: Element, found: HTMLElement[]) =>
		other.matches("li, tr") && other.tagName === removed.tagName ? found[ordinal] : undefined;
	for (const { parent, child, index } of left) {
		if (parent === document.body) return headingOf(parent);
		const others = [...parent.children].filter((other) => other !== child);
		const next = others.slice(index).map((other) => [other, tabbablesIn(other)] as const);
		const previous = others.slice(0, index).map((other) => [other, tabbablesIn(other)] as const);
		for (const [other, found] of next) if (found.length > 0) return inRow(other, found) ?? found[0] ?? null;
		for (const [other, found] of previous.reverse()) {
			if (found.length > 0) return inRow(other, found) ?? found.at(-1) ?? null;
		}
		if (parent.matches(FRAME)) return headingOf(parent);
	}
	return null;
}

/** Keeps the focus while it is on the page. */
export function FocusKeeper(): null {
	useEffect(keepFocus, []);
	return null;
}

/** Starts keeping the focus. @returns how to end it. */
function keepFocus(): () => void {
	/** The elements that had the focus, the latest last. */
	let trails: Trail[] = [];
	let timer: ReturnType<typeof setTimeout> | undefined;
	/** Whether the focused element is gone. If it was removed from a dialog, Radix moves the focus to the dialog. */
	const isLost = () => {
		const active = document.activeElement;
		const last = trails.at(-1);
		if (active === null || active === document.body) return last !== undefined;
		return last?.element.isConnected === false && last.steps.some(({ parent }) => parent === active);
	};

	const remember = (element: Element | null) => {
		if (!(element instanceof HTMLElement) || element === document.body) return;
		if (element.matches(OVERLAY) && isLost()) return restoreSoon();
		trails = [...trails.filter((trail) => trail.element !== element).slice(-9), trailOf(element)];
	};
	const restore = () => {
		const last = trails.at(-1);
		if (last === undefined || !isLost() || last.element.isConnected || last.pathname !== location.pathname) return;
		// If the dialog is still open, its nearest element; if it has closed, the element that opened it.
		const wanted = trails.findLast((trail) => overlayOf(trail)?.isConnected !== false);
		if (wanted === undefined) return;
		if (wanted.element.isConnected) wanted.element.focus();
		else if (!wanted.steps.some(({ child }) => child.matches(VIRTUAL) && !child.isConnected)) besideOf(wanted)?.focus();
	};
	const restoreSoon = () => {
		clearTimeout(timer);
		timer = setTimeout(restore, SETTLED_MS);
	};
	const onMutation = () => {
		if (isLost() && trails.at(-1)?.element.isConnected === false) restoreSoon();
	};
	const onFocusIn = ({ target }: FocusEvent) => remember(target instanceof Element ? target : null);
	// A click on an empty place removes the focus on purpose; a removed element loses it by accident.
	const onPointerDown = () =>
		setTimeout(() => {
			if (isLost() && trails.at(-1)?.element.isConnected === true) trails = [];
		});

	remember(document.activeElement);
	// In the capture phase, because the list of toasts stops the propagation of this event.
	document.addEventListener("focusin", onFocusIn, true);
	document.addEventListener("pointerdown", onPointerDown);
	const observer = new MutationObserver(onMutation);
	observer.observe(document.body, { childList: true, subtree: true });
	return () => {
		clearTimeout(timer);
		observer.disconnect();
		document.removeEventListener("focusin", onFocusIn, true);
		document.removeEventListener("pointerdown", onPointerDown);
	};
}
