/**
 * Deleting that can be undone: what is deleted is hidden at once, and the server is told a little later, at the
 * latest when the page is left. The caches keep it meanwhile, so that undoing needs nobody, and events of the server
 * change nothing: whoever shows recordings leaves out what `useDeletedHere` names.
 */
import { useSyncExternalStore } from "react";

/** How long a deletion can be undone. */
export const UNDO_MS = 5_000;
/** How many calls are under way at once, as long as there is time. */
const AT_ONCE = 6;

export interface Refusal {
	id: number;
	error: unknown;
}

interface Options {
	/** Tells the server, and the caches when it has agreed. @throws when it refuses */
	remove(id: number): Promise<void>;
	/** It was undone, or the server is being told: there is nothing to undo any more. Possibly called more than once. */
	onDecided(): void;
	/** The server has answered for each of them; these are shown again. */
	onAnswered(refused: readonly Refusal[]): void;
}

export interface DelayedDeletion {
	/** Shows everything again; the server is never told. Does nothing once it is being told. */
	undo(): void;
	/** Tells the server now. */
	send(): void;
}

const NONE: ReadonlySet<number> = new Set();
const listeners = new Set<() => void>();
let hidden = NONE;
/** In the order in which they were made. */
const undoable = new Set<DelayedDeletion>();
/** What tells the server of everything that is still to be told. */
const hurries = new Set<() => void>();

/** Hides recordings and, when the time to undo is over, deletes them. What is hidden already is left out. */
export function deleteLater(ids: readonly number[], { remove, onDecided, onAnswered }: Options): DelayedDeletion {
	const unsent = ids.filter((id) => !hidden.has(id));
	const refused: Refusal[] = [];
	let unanswered = unsent.length;
	setHidden([...hidden, ...unsent]);

	const sendOne = async (): Promise<void> => {
		for (let id = unsent.shift(); id !== undefined; id = unsent.shift()) {
			const sent = id;
			await remove(sent).catch((error: unknown) => refused.push({ id: sent, error }));
			setHidden([...hidden].filter((one) => one !== sent));
			unanswered -= 1;
			if (unanswered > 0) continue;
			watch(hurry, false);
			onAnswered(refused);
		}
	};
	const send = (atOnce: number) => {
		if (unanswered === 0) return;
		clearTimeout(timer);
		onDecided();
		undoable.delete(deletion);
		for (let started = Math.min(atOnce, unsent.length); started > 0; started -= 1) void sendOne();
	};
	const hurry = () => send(unsent.length);
	const timer = setTimeout(send, UNDO_MS, AT_ONCE);
	watch(hurry, true);

	const deletion: DelayedDeletion = {
		undo() {
			if (!undoable.delete(deletion)) return;
			clearTimeout(timer);
			watch(hurry, false);
			unanswered = 0;
			setHidden([...hidden].filter((id) => !unsent.includes(id)));
			onDecided();
		},
		send: () => send(AT_ONCE),
	};
	undoable.add(deletion);
	return deletion;
}

/** Undoes what was deleted last, if its time is not over. @returns whether there was anything */
export function undoLastDeletion(): boolean {
	const last = [...undoable].at(-1);
	last?.undo();
	return last !== undefined;
}

/** Tells the server at once of every deletion that still waits: for whoever leaves. */
export function sendDeletions(): void {
	for (const hurry of hurries) hurry();
}

/** The ids of the recordings that were deleted here and are not to be shown, though the server may still have them. */
export const useDeletedHere = (): ReadonlySet<number> => useSyncExternalStore(subscribe, deletedHere, () => NONE);
export const deletedHere = (): ReadonlySet<number> => hidden;

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

function setHidden(ids: readonly number[]): void {
	hidden = new Set(ids);
	for (const listener of listeners) listener();
}

function watch(hurry: () => void, on: boolean): void {
	if (on) hurries.add(hurry);
	else hurries.delete(hurry);
	if (hurries.size > 0) addEventListener("pagehide", sendDeletions);
	else removeEventListener("pagehide", sendDeletions);
}
