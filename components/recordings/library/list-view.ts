"use client";

/** The form of lists of recordings, which this browser keeps from one visit to the next. */
import { useSyncExternalStore } from "react";
import { readStored, store } from "#lib/client/browser-storage.ts";

type ListView = "cards" | "table";

const KEY = "tapedeck.recordings.view";
const listeners = new Set<() => void>();
/** The choice of this tab, in case the browser stores nothing. */
let chosen: ListView | null = null;

function read(): ListView {
	if (chosen !== null) return chosen;
	return readStored(KEY) === "table" ? "table" : "cards";
}

export function chooseListView(view: ListView): void {
	chosen = view;
	store(KEY, view);
	for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

export const useListView = (): ListView => useSyncExternalStore(subscribe, read, () => "cards");
