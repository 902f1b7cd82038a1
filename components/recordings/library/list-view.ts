"use client";

/** How this browser shows lists of recordings: kept from one visit to the next. */
import { useSyncExternalStore } from "react";

type ListView = "cards" | "table";

const KEY = "tapedeck.recordings.view";
const listeners = new Set<() => void>();
/** Of this tab, in case the browser stores nothing. */
let chosen: ListView | null = null;

function read(): ListView {
	if (chosen !== null) return chosen;
	try {
		return localStorage.getItem(KEY) === "table" ? "table" : "cards";
	} catch {
		return "cards";
	}
}

export function chooseListView(view: ListView): void {
	chosen = view;
	try {
		localStorage.setItem(KEY, view);
	} catch {
		// The next visit starts with cards.
	}
	for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

export const useListView = (): ListView => useSyncExternalStore(subscribe, read, () => "cards");
