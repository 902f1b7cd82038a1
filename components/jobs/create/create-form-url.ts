"use client";

/**
 * The create form's state is in the URL: `?new=1` while it is open, `&like=12` when it is filled in to repeat job 12.
 * When it closes, the focus returns to the element that opened it.
 */
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { closeOverlay, isPushedOverlay, pushOverlay } from "#components/navigation/overlay-url.ts";

const OPEN = "new";
const LIKE = "like";

/** The element that opened the form and gets the focus back, unless the job's drawer has taken over. */
let opener: HTMLElement | null | "taken" = null;

// Read from the location, not from the router, which lags behind it and knows nothing before hydration.
const listeners = new Set<() => void>();
function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	window.addEventListener("popstate", listener);
	return () => {
		listeners.delete(listener);
		window.removeEventListener("popstate", listener);
	};
}
function notify(): void {
	for (const listener of listeners) listener();
}

function urlWith(
	{ pathname, search }: Pick<Location, "pathname" | "search">,
	change: (params: URLSearchParams) => void,
): string {
	const params = new URLSearchParams(search);
	change(params);
	const text = params.toString();
	return pathname + (text === "" ? "" : `?${text}`);
}

const urlOfForm = (at: Pick<Location, "pathname" | "search">, like?: number): string =>
	urlWith(at, (params) => {
		params.set(OPEN, "1");
		if (like === undefined) params.delete(LIKE);
		else params.set(LIKE, String(like));
	});

/**
 * Opens the create form over the jobs page, with its present filters and drawer.
 * @param options.like the id of the job to repeat
 * @param options.from gets the focus when the form closes; defaults to the focused element
 */
export function openCreateForm({ like, from }: { like?: number; from?: HTMLElement | null } = {}): void {
	opener = from ?? (document.activeElement instanceof HTMLElement ? document.activeElement : null);
	pushOverlay(urlOfForm(window.location, like));
	notify();
}

function closeCreateForm(): void {
	if (!new URLSearchParams(window.location.search).has(OPEN)) return;
	const url = urlWith(window.location, (params) => {
		params.delete(OPEN);
		params.delete(LIKE);
	});
	closeOverlay(url);
	notify();
}

/**
 * For the job that the form created: its drawer replaces the form's history entry.
 * @returns the query string without the form, and whether the list is one step back; null when the form is closed
 */
export function openFormEntry(): { search: string; listIsBehind: boolean } | null {
	const params = new URLSearchParams(window.location.search);
	if (!params.has(OPEN)) return null;
	params.delete(OPEN);
	params.delete(LIKE);
	const listIsBehind = isPushedOverlay() && window.location.pathname === "/jobs";
	return { search: params.size === 0 ? "" : `?${params}`, listIsBehind };
}

/** Closes the form for what `show` opens in its place, which gives the focus back to the form's opener. */
export function replaceCreateForm(show: (opener: HTMLElement | null) => void): void {
	const from = opener === "taken" ? null : opener;
	opener = "taken";
	show(from);
	notify();
}

/** Whether the form is open, which job it repeats, how to close it, and the URL that opens it. */
export function useCreateFormUrl() {
	const search = useSyncExternalStore(
		subscribe,
		() => window.location.search,
		() => "",
	);
	// Links and the palette go through the router, which changes the URL after it has rendered.
	const routerSearch = useSearchParams().toString();
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of the router's URL
	useEffect(notify, [routerSearch]);

	/** Focuses what opened the form. @param button gets the focus if the form was opened by its URL */
	const restoreFocus = useCallback((button: HTMLElement | null): void => {
		if (opener === "taken") {
			// A drawer that opens in its place takes the focus by itself, unless it was open before.
			document.querySelector<HTMLElement>("[data-drawer]")?.focus();
			return;
		}
		const target = opener?.isConnected && opener !== document.body ? opener : button;
		opener = null;
		target?.focus();
	}, []);

	const params = new URLSearchParams(search);
	const open = params.get(OPEN) === "1";
	const repeated = params.get(LIKE) ?? "";
	const like = open && /^[1-9]\d{0,15}$/.test(repeated) ? Number(repeated) : null;
	const href = urlOfForm({ pathname: usePathname(), search: routerSearch });
	return { open, like, close: closeCreateForm, href, restoreFocus };
}
