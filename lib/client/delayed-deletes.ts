/**
 * Deletion with undo: recordings are hidden at once and deleted on the server a little later, at the latest when the
 * page is left. The caches keep them meanwhile, so undoing needs no request and events change nothing: lists leave out
 * what `useDeletedHere` names.
 */
import { useSyncExternalStore } from "react";

/** Time in which a deletion can be undone. */
export const UNDO_MS = 5_000;
/** Number of parallel requests while the page stays open. */
const MAX_PARALLEL = 6;

export interface Refusal {
	id: number;
	error: unknown;
}

interface Options {
	/** Deletes on the server and then in the caches. @throws when the server refuses. */
	remove(id: number): Promise<void>;
	/** Undone or being sent: nothing can be undone. May be called more than once. */
	onDecided(): void;
	/** The server has answered for each of them; the refused ones are shown again. */
	onAnswered(refused: readonly Refusal[]): void;
}

export interface DelayedDeletion {
	/** Shows everything again, without a request. Does nothing once the deletion is being sent. */
	undo(): void;
	/** Sends the deletion now. */
	send(): void;
}

const NONE: ReadonlySet<number> = new Set();
const listeners = new Set<() => void>();
let hidden = NONE;
/** In the order in which they were made. */
const undoable = new Set<DelayedDeletion>();
/** Send at once what is still waiting, for each deletion. */
const flushes = new Set<() => void>();

/** Hides recordings, and deletes them once the time to undo is over. Those that are hidden already are skipped. */
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
			watch(flush, false);
			onAnswered(refused);
		}
	};
	const send = (parallel: number) => {
		if (unanswered === 0) return;
		clearTimeout(timer);
		onDecided();
		undoable.delete(deletion);
		for (let started = Math.min(parallel, unsent.length); started > 0; started -= 1) void sendOne();
	};
	const flush = () => send(unsent.length);
	const timer = setTimeout(send, UNDO_MS, MAX_PARALLEL);
	watch(flush, true);

	const deletion: DelayedDeletion = {
		undo() {
			if (!undoable.delete(deletion)) return;
			clearTimeout(timer);
			watch(flush, false);
			unanswered = 0;
			setHidden([...hidden].filter((id) => !unsent.includes(id)));
			onDecided();
		},
		send: () => send(MAX_PARALLEL),
	};
	undoable.add(deletion);
	return deletion;
}

/** Undoes the last deletion, if there is still time. @returns whether there was one. */
export function undoLastDeletion(): boolean {
	const last = [...undoable].at(-1);
	last?.undo();
	return last !== undefined;
}

/** Sends every waiting deletion at once, because the page is being left. */
export function sendDeletions(): void {
	for (const flush of flushes) flush();
}

/** The ids of recordings deleted here, which must be hidden even while the server still has them. */
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

function watch(flush: () => void, on: boolean): void {
	if (on) flushes.add(flush);
	else flushes.delete(flush);
	if (flushes.size > 0) addEventListener("pagehide", sendDeletions);
	else removeEventListener("pagehide", sendDeletions);
}
