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

/** Open calls of the same caller: what a check finds holds for all of them. */
type Watch = { hasAccess: () => Promise<boolean>; listeners: Set<() => void>; checkedAt: number };

export class CredentialCache {
	#entries = new Map<string, { value: unknown; until: number }>();
	readonly #watches = new Map<string, Watch>();
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
		for (const [caller, watch] of [...this.#watches]) void this.#check(caller, watch);
	}

	/**
	 * Checks a caller's access after each `forget`, and every 2.5 s.
	 * @param caller the credentials and what they allow; calls with the same share a check.
	 * @param hasAccess whether they still allow it; must not throw.
	 * @param onLoss called once they do not.
	 * @returns a function that ends this.
	 */
	watch(caller: string, hasAccess: () => Promise<boolean>, onLoss: () => void): () => void {
		const watch = this.#watches.get(caller) ?? { hasAccess, listeners: new Set(), checkedAt: performance.now() };
		this.#watches.set(caller, watch);
		watch.listeners.add(onLoss);
		this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
		return () => {
			watch.listeners.delete(onLoss);
			if (watch.listeners.size === 0) this.#end(caller, watch);
		};
	}

	async #check(caller: string, watch: Watch): Promise<void> {
		if (await watch.hasAccess()) return;
		this.#end(caller, watch);
		const listeners = [...watch.listeners];
		watch.listeners.clear();
		for (const onLoss of listeners) onLoss();
	}

	/** A later call of this caller is watched anew. */
	#end(caller: string, watch: Watch): void {
		if (this.#watches.get(caller) === watch) this.#watches.delete(caller);
	}

	#tick(): void {
		const now = performance.now();
		for (const [caller, watch] of this.#watches) {
			if (now - watch.checkedAt < CHECK_INTERVAL_MS) continue;
			watch.checkedAt = now;
			void this.#check(caller, watch);
		}
		if (this.#watches.size > 0 || this.#timer === null) return;
		clearInterval(this.#timer);
		this.#timer = null;
	}
}
