/**
 * Caches verified credentials for 2 s, so that a burst of calls reads the database once. A revocation in this process
 * takes effect at once (`forget`), one in another process when the entry expires. One per process, in the app context.
 */
const LIFE_MS = 2_000;
const MAX_ENTRIES = 10_000;

export class CredentialCache {
	#entries = new Map<string, { value: unknown; until: number }>();
	readonly #listeners = new Set<() => void>();

	/** @returns the cached result for this key, or else what `read` finds. null is not cached. */
	async get<T>(key: string, read: () => Promise<T | null>): Promise<T | null> {
		const entries = this.#entries;
		const known = entries.get(key);
		if (known !== undefined && performance.now() < known.until) return known.value as T;
		const value = await read();
		if (entries.size >= MAX_ENTRIES) entries.clear();
		// A `forget` during the read replaced the map, so this result goes into the discarded one.
		if (value !== null) entries.set(key, { value, until: performance.now() + LIFE_MS });
		else entries.delete(key);
		return value;
	}

	/** Clears the cache. Call it after committing any change of who can do what. */
	forget(): void {
		this.#entries = new Map();
		for (const listener of [...this.#listeners]) listener();
	}

	/** Calls `listener` after each `forget`. @returns a function that unsubscribes it. */
	onForget(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}
}
