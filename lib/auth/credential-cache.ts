/**
 * Credentials that were verified a moment ago, so that a burst of calls reads the database once. It lives
 * 2 s: a revocation in another process counts after that; one in this process counts at once.
 */
import type { Database } from "../core/context.ts";

const LIFE_MS = 2_000;
const MAX_ENTRIES = 10_000;

type Entry = { value: unknown; until: number };

// One for the whole process, although bundlers make copies of this module.
const slot = Symbol.for("tapedeck.credential-cache");
type Shared = { caches: WeakMap<object, Map<string, Entry>>; listeners: WeakMap<object, Set<() => void>> };
const shared = globalThis as { [slot]?: Shared };
shared[slot] ??= { caches: new WeakMap(), listeners: new WeakMap() };
const { caches, listeners } = shared[slot];

function cacheOf(db: Database): Map<string, Entry> {
	let cache = caches.get(db);
	if (cache === undefined) {
		cache = new Map();
		caches.set(db, cache);
	}
	return cache;
}

/** @returns what `read` found, or found less than 2 s ago under the same key. Only finds are kept. */
export async function remembered<T>(db: Database, key: string, read: () => Promise<T | null>): Promise<T | null> {
	const cache = cacheOf(db);
	const known = cache.get(key);
	if (known !== undefined && performance.now() < known.until) return known.value as T;
	const value = await read();
	if (cache.size >= MAX_ENTRIES) cache.clear();
	// `caches` is asked again: what was forgotten while reading must not come back.
	if (value !== null && caches.get(db) === cache) cache.set(key, { value, until: performance.now() + LIFE_MS });
	else cache.delete(key);
	return value;
}

/** After a revocation or a change of who is who: the next call reads the database. */
export function forgetCredentials(db: Database): void {
	caches.delete(db);
	for (const listener of [...(listeners.get(db) ?? [])]) listener();
}

/** Calls `listener` after each forgetCredentials of this process. @returns what ends that. */
export function onForgotten(db: Database, listener: () => void): () => void {
	const all = listeners.get(db) ?? new Set();
	listeners.set(db, all.add(listener));
	return () => {
		all.delete(listener);
	};
}
