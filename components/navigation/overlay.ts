"use client";

import { useSyncExternalStore } from "react";

/** Overlays that a key, a button or a menu opens on every page. */
export type Overlay = "palette" | "shortcuts";

let shown: Overlay | null = null;
let before: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Opens `overlay` and closes any other; null closes the open one. */
export function showOverlay(overlay: Overlay | null): void {
	if (shown === null && document.activeElement instanceof HTMLElement) before = document.activeElement;
	shown = overlay;
	for (const listener of listeners) listener();
}

/** Closes `overlay`, unless another has taken its place. */
export function hideOverlay(overlay: Overlay): void {
	if (shown === overlay) showOverlay(null);
}

/** Returns the focus to the element that had it before the first overlay opened, once all are closed. */
export function focusBefore(): void {
	if (shown !== null) return;
	if (before?.isConnected) before.focus();
	before = null;
}

export const useOverlay = (): Overlay | null =>
	useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => shown,
		() => null,
	);
