/**
 * A fetch races with the event stream: a response computed before an event may arrive after it, and fetching the next
 * page of a list returns the earlier pages as they were when the fetch began. So events are kept for a while, and those
 * that arrived during a fetch are applied again to its response.
 */
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** No fetch takes longer. */
const KEEP_MS = 120_000;
const MAX_KEPT = 5_000;

export class NewerEvents<T> {
	/** By id, oldest first. */
	readonly #changes = new Map<number, { value: T | null; at: number }>();

	/** Stores the value from an event; null if the item was deleted. */
	note(id: number, value: T | null, at: number = performance.now()): void {
		this.#changes.delete(id);
		this.#changes.set(id, { value, at });
		for (const [key, change] of this.#changes) {
			if (this.#changes.size <= MAX_KEPT && at - change.at < KEEP_MS) break;
			this.#changes.delete(key);
		}
	}

	/** The last change of each item that changed at `since` or later. */
	since(since: number): { id: number; value: T | null }[] {
		return [...this.#changes].flatMap(([id, { value, at }]) => (at < since ? [] : [{ id, value }]));
	}

	/** Applies the changes at `since` or later again. */
	showSince(since: number, show: (value: T) => void, hide: (id: number) => void): void {
		for (const { id, value } of this.since(since)) {
			if (value === null) hide(id);
			else show(value);
		}
	}
}

/** A kind of data: its query key, and how to apply changes since a time of `performance.now()` again. */
export interface Kind {
	key: QueryKey[0];
	showSince(client: QueryClient, since: number): void;
}

/** Applies newer changes again after every fetch of these kinds, until the returned function is called. */
export function keepNewerEvents(client: QueryClient, kinds: readonly Kind[]): () => void {
	const began = new WeakMap<object, number>();
	return client.getQueryCache().subscribe((event) => {
		if (event.type !== "updated") return;
		const { query, action } = event;
		if (action.type === "fetch") began.set(query, performance.now());
		// Data set by hand, for example by the events themselves, is not a response.
		if (action.type !== "success" || action.manual) return;
		const since = began.get(query);
		if (since === undefined) return;
		for (const { key, showSince } of kinds) if (query.queryKey[0] === key) showSince(client, since);
	});
}
