/**
 * A fetch and the event stream race: an answer that was computed before an event may arrive after it, and the pages
 * of a long list that were loaded before come back as they were when the fetch of the next one began. So what events
 * say is kept for a while, and what they said while a fetch was under way is shown again once its answer is there.
 */
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** No fetch is under way for longer. */
const KEEP_MS = 120_000;
const MAX_KEPT = 5_000;

export class NewerFacts<T> {
	/** By id, in the order in which they were noted. */
	readonly #facts = new Map<number, { value: T | null; at: number }>();

	/** Notes what an event said; null: the thing is gone. */
	note(id: number, value: T | null, at: number = performance.now()): void {
		this.#facts.delete(id);
		this.#facts.set(id, { value, at });
		for (const [key, fact] of this.#facts) {
			if (this.#facts.size <= MAX_KEPT && at - fact.at < KEEP_MS) break;
			this.#facts.delete(key);
		}
	}

	/** What was said last of each thing that anything was said of at `since` or later. */
	since(since: number): { id: number; value: T | null }[] {
		return [...this.#facts].flatMap(([id, { value, at }]) => (at < since ? [] : [{ id, value }]));
	}

	/** Shows or hides again what was said of at `since` or later. */
	showSince(since: number, show: (value: T) => void, hide: (id: number) => void): void {
		for (const { id, value } of this.since(since)) {
			if (value === null) hide(id);
			else show(value);
		}
	}
}

/** What is fetched under a key, and how to show again what was said of it since an instant of `performance.now()`. */
export interface Kind {
	key: QueryKey[0];
	showSince(client: QueryClient, since: number): void;
}

/** Shows newer facts again after every fetch of these kinds, until the returned function is called. */
export function keepNewerFacts(client: QueryClient, kinds: readonly Kind[]): () => void {
	const began = new WeakMap<object, number>();
	return client.getQueryCache().subscribe((event) => {
		if (event.type !== "updated") return;
		const { query, action } = event;
		if (action.type === "fetch") began.set(query, performance.now());
		// What is set by hand, as the facts themselves are, is no answer.
		if (action.type !== "success" || action.manual) return;
		const since = began.get(query);
		if (since === undefined) return;
		for (const { key, showSince } of kinds) if (query.queryKey[0] === key) showSince(client, since);
	});
}
