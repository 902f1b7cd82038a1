/** Values that this browser keeps from one visit to the next. A browser that stores nothing starts each visit with the defaults. */

export function readStored(key: string): string | null {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

/** @param value null removes it. */
export function store(key: string, value: string | null): void {
	try {
		if (value === null) localStorage.removeItem(key);
		else localStorage.setItem(key, value);
	} catch {
		// See above.
	}
}
