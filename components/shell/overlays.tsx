"use client";

import { useCallback, useEffect, useRef } from "react";
import { focusBefore, hideOverlay, type Overlay, showOverlay, useOverlay } from "#components/navigation/overlay.ts";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { shortcutOf, useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";

const loadPalette = () => import("#components/palette/command-palette.tsx").then((module) => module.CommandPalette);
const loadShortcuts = () =>
	import("#components/navigation/shortcuts-dialog.tsx").then((module) => module.ShortcutsDialog);

/** Loads the palette before it is opened. */
export const preparePalette = (): void => void loadPalette().catch(() => undefined);

/** Overlays of every page: the command palette (Ctrl or ⌘ with K) and the list of keys (`?`). */
export function Overlays() {
	const shown = useOverlay();
	const goTo = useNavigate();
	const [Palette, fetchPalette] = useLazyModule(loadPalette);
	const [Shortcuts, fetchShortcuts] = useLazyModule(loadShortcuts);
	const takeTyped = useTypedMeanwhile(shown === "palette" && Palette === null);
	usePaletteKey(shown);
	useEscape(shown);
	useShortcuts({ shortcuts: () => showOverlay("shortcuts") }, (dialog) => dialog.hasAttribute("data-drawer"));
	useEffect(() => {
		if (shown === null) return;
		const fetched = shown === "palette" ? fetchPalette() : fetchShortcuts();
		void fetched.then((here) => here || showOverlay(null));
	}, [shown, fetchPalette, fetchShortcuts]);
	const giveFocusBack = useCallback((event: Event) => {
		// No trigger of Radix's opened it, so the focus goes back to where it was.
		event.preventDefault();
		focusBefore();
	}, []);
	return (
		<>
			{Palette === null ? null : (
				<Palette
					open={shown === "palette"}
					typed={takeTyped()}
					onClose={() => hideOverlay("palette")}
					onShowShortcuts={() => showOverlay("shortcuts")}
					goTo={goTo}
					onCloseAutoFocus={giveFocusBack}
				/>
			)}
			{Shortcuts === null ? null : (
				<Shortcuts
					open={shown === "shortcuts"}
					onClose={() => hideOverlay("shortcuts")}
					onCloseAutoFocus={giveFocusBack}
				/>
			)}
		</>
	);
}

/** Ctrl or ⌘ with K opens the palette, also while typing and over a dialog, and closes it. */
function usePaletteKey(shown: Overlay | null): void {
	const latest = useRef(shown);
	latest.current = shown;
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (shortcutOf(event, ["palette"]) === undefined) return;
			event.preventDefault();
			showOverlay(latest.current === "palette" ? null : "palette");
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}

/**
 * Escape closes the overlay, also while it is loaded: there is no dialog then that could take the key from the drawer
 * below it (`components/ui/dialog.tsx`).
 */
function useEscape(shown: Overlay | null): void {
	useEffect(() => {
		if (shown === null) return;
		const onKey = (event: KeyboardEvent) => {
			if (event.key !== "Escape") return;
			event.preventDefault();
			event.stopPropagation();
			showOverlay(null);
		};
		window.addEventListener("keydown", onKey, { capture: true });
		return () => window.removeEventListener("keydown", onKey, { capture: true });
	}, [shown]);
}

/**
 * Keeps what is typed between opening a field and its being loaded, so that no letter is lost, and none acts as a
 * shortcut of the page.
 * @returns what was typed
 */
function useTypedMeanwhile(waiting: boolean): () => string {
	const typed = useRef("");
	useEffect(() => {
		if (!waiting) return;
		const onKey = (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey || event.altKey) return;
			if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
			else if (event.key.length === 1) typed.current += event.key;
			else return;
			event.preventDefault();
			event.stopPropagation();
		};
		window.addEventListener("keydown", onKey, { capture: true });
		return () => {
			window.removeEventListener("keydown", onKey, { capture: true });
			// The field has it by now.
			typed.current = "";
		};
	}, [waiting]);
	return useCallback(() => typed.current, []);
}
