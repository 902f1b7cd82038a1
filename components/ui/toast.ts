/**
 * Toasts, without their cost to the first load: sonner comes when the first toast does, or when the reader first
 * presses something. Same words and options as sonner's own `toast`.
 */
import type { ExternalToast } from "sonner";

type Sonner = typeof import("sonner").toast;
type Kind = "message" | "success" | "info" | "warning" | "error";

/** What shows toasts, once it is there. */
let shower: Sonner | null = null;
let wanted = false;
let waiting: ((shower: Sonner) => void)[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Loads what shows toasts, so that a toast about the network does not have to wait for the network. */
export function prepareToasts(): void {
	if (wanted) return;
	wanted = true;
	for (const listener of listeners) listener();
}

/** For the one place that shows them: whether it is needed by now. */
export const toastsWanted = {
	subscribe(listener: () => void): () => void {
		listeners.add(listener);
		return () => listeners.delete(listener);
	},
	get: (): boolean => wanted,
};

/** Called by what shows toasts when it can; `null` when it goes. */
export function showToastsWith(sonner: Sonner | null): void {
	shower = sonner;
	if (sonner === null) return;
	const acts = waiting;
	waiting = [];
	for (const act of acts) act(sonner);
}

function withShower(act: (shower: Sonner) => void): void {
	if (shower === null) {
		waiting.push(act);
		prepareToasts();
	} else act(shower);
}

/** @returns the toast's id, to dismiss or replace it by. */
function show(kind: Kind, words: string, options?: ExternalToast): string | number {
	lastId += 1;
	const id = options?.id ?? `toast-${lastId}`;
	withShower((sonner) => sonner[kind](words, { ...options, id }));
	return id;
}

export const toast = Object.assign((words: string, options?: ExternalToast) => show("message", words, options), {
	success: (words: string, options?: ExternalToast) => show("success", words, options),
	info: (words: string, options?: ExternalToast) => show("info", words, options),
	warning: (words: string, options?: ExternalToast) => show("warning", words, options),
	error: (words: string, options?: ExternalToast) => show("error", words, options),
	dismiss: (id: string | number) => withShower((sonner) => void sonner.dismiss(id)),
});
