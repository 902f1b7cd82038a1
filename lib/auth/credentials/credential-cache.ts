/**
 * Caches verified credentials for 2 s, so that a burst of calls reads the database once. A revocation in this process
 * takes effect at once (`forget`), one in another process when the entry expires. One per process, in the app context.
 */
const LIFE_MS = 2_000;
const MAX_ENTRIES = 10_000;
/** Catches what this process is not notified of: expiries, and revocations in another process, once they left the cache. */
const CHECK_INTERVAL_MS = 2_500;
/** One timer looks after all watches, because most calls are too short to need one of their own. */
const TICK_MS = 250;

type Watch = { check: () => void; checkedAt: number };

export class CredentialCache {
	#entries = new Map<string, { value: unknown; until: number }>();
	readonly #watches = new Set<Watch>();
	#timer: NodeJS.Timeout | null = null;

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
		for (const { check } of [...this.#watches]) check();
	}

	/** Calls `check` after each `forget`, and every 2.5 s. @returns a function that ends this. */
	watch(check: () => void): () => void {
		const watch = { check, checkedAt: performance.now() };
		this.#watches.add(watch);
		this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
		return () => {
			this.#watches.delete(watch);
		};
	}

	#tick(): void {
		const now = performance.now();
		for (const watch of this.#watches) {
			if (now - watch.checkedAt < CHECK_INTERVAL_MS) continue;
			watch.checkedAt = now;
			watch.check();
		}
		if (this.#watches.size > 0 || this.#timer === null) return;
		clearInterval(this.#timer);
		this.#timer = null;
	}
}
