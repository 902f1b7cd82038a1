"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useSyncExternalStore } from "react";

// The address says that the form is open: `?new=1`, and `&like=12` when it is filled in to repeat job 12.
const OPEN = "new";
const LIKE = "like";
/** The mark of a history entry that the form made: closing it is one step back. */
const PUSHED = "createForm";

/** What opened the form, and gets the focus back; somebody else may have taken that over. */
let opener: HTMLElement | null | "taken" = null;

// The address itself is read, not what the router knows of it: the router notices a moment later, and nothing at all
// of what happens before it has begun.
const readers = new Set<() => void>();
function subscribe(reader: () => void): () => void {
	readers.add(reader);
	window.addEventListener("popstate", reader);
	return () => {
		readers.delete(reader);
		window.removeEventListener("popstate", reader);
	};
}
function tellReaders(): void {
	for (const reader of readers) reader();
}

function addressWith(change: (params: URLSearchParams) => void): string {
	const params = new URLSearchParams(window.location.search);
	change(params);
	const text = params.toString();
	return window.location.pathname + (text === "" ? "" : `?${text}`);
}

/**
 * Opens the create form over whatever the jobs page shows.
 * @param options.like the id of the job that it is filled in to repeat
 * @param options.from gets the focus when the form closes; what has it now when left out
 */
export function openCreateForm({ like, from }: { like?: number; from?: HTMLElement | null } = {}): void {
	opener = from ?? (document.activeElement instanceof HTMLElement ? document.activeElement : null);
	const address = addressWith((params) => {
		params.set(OPEN, "1");
		if (like === undefined) params.delete(LIKE);
		else params.set(LIKE, String(like));
	});
	window.history.pushState({ [PUSHED]: true }, "", address);
	tellReaders();
}

function closeCreateForm(): void {
	if (!new URLSearchParams(window.location.search).has(OPEN)) return;
	if (window.history.state?.[PUSHED] === true) {
		window.history.back();
		return;
	}
	const address = addressWith((params) => {
		params.delete(OPEN);
		params.delete(LIKE);
	});
	window.history.replaceState(null, "", address);
	tellReaders();
}

/**
 * The form's place in the history goes to the job that it made, when it is open.
 * @returns the search of the address without the form, and whether the list lies one step back; null: it is not open
 */
export function formToReplace(): { search: string; listIsBehind: boolean } | null {
	const params = new URLSearchParams(window.location.search);
	if (!params.has(OPEN)) return null;
	params.delete(OPEN);
	params.delete(LIKE);
	const listIsBehind = window.history.state?.[PUSHED] === true && window.location.pathname === "/jobs";
	return { search: params.size === 0 ? "" : `?${params}`, listIsBehind };
}

/** Closes the form for what `show` shows in its place; what opened the form gets the focus back from there. */
export function leaveFormFor(show: (opener: HTMLElement | null) => void): void {
	const from = opener === "taken" ? null : opener;
	opener = "taken";
	show(from);
	tellReaders();
}

/** Whether the form is open, what it repeats, and how it closes. */
export function useCreateFormDoor() {
	const search = useSyncExternalStore(
		subscribe,
		() => window.location.search,
		() => "",
	);
	// Links and the palette go through the router, which changes the address after it has drawn.
	const ofRouter = useSearchParams().toString();
	// biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that is waited for
	useEffect(tellReaders, [ofRouter]);

	/** To what opened the form; by an address it was nothing, and then to the page itself. */
	const giveFocusBack = useCallback((): void => {
		if (opener === "taken") {
			// What is shown in its place takes the focus by itself, unless it was open before.
			document.querySelector<HTMLElement>("[data-drawer]")?.focus();
			return;
		}
		const target = opener?.isConnected && opener !== document.body ? opener : document.getElementById("content");
		opener = null;
		target?.focus();
	}, []);

	const params = new URLSearchParams(search);
	const open = params.get(OPEN) === "1";
	const asked = params.get(LIKE) ?? "";
	const like = open && /^[1-9]\d{0,15}$/.test(asked) ? Number(asked) : null;
	return { open, like, close: closeCreateForm, giveFocusBack };
}
