"use client";

import { useCallback, useEffect, useRef } from "react";
import { useKeys } from "#components/ui/use-keys.ts";
import { usePart } from "#components/ui/use-part.ts";
import { focusBefore, hideOverlay, type Overlay, showOverlay, useOverlay } from "../navigation/overlay.ts";
import { useGoTo } from "./use-go-to.ts";
import { useTypedMeanwhile } from "./use-typed-meanwhile.ts";

const loadPalette = () => import("#components/palette/command-palette.tsx").then((module) => module.CommandPalette);
const loadShortcuts = () => import("./shortcuts-dialog.tsx").then((module) => module.ShortcutsDialog);

/** Fetches the palette before it is asked for, where it likely will be. */
export const preparePalette = (): void => void loadPalette().catch(() => undefined);

/** What lies over every page: the command palette (Ctrl or ⌘ with K) and the list of keys (`?`). */
export function Overlays() {
	const shown = useOverlay();
	const goTo = useGoTo();
	const [Palette, fetchPalette] = usePart(loadPalette);
	const [Shortcuts, fetchShortcuts] = usePart(loadShortcuts);
	const takeTyped = useTypedMeanwhile(shown === "palette" && Palette === null, () => showOverlay(null));
	usePaletteKey(shown);
	useKeys({ "?": () => showOverlay("shortcuts") }, (dialog) => dialog.hasAttribute("data-drawer"));
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
			if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
				return;
			event.preventDefault();
			showOverlay(latest.current === "palette" ? null : "palette");
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, []);
}
