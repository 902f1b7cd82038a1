/** How deeply JSON from outside may be nested. */

/** Deeper values overflow the stack of what reads them next. No client needs a tenth of it. */
export const MAX_JSON_DEPTH = 1_000;

/** @returns whether objects and lists are nested more than MAX_JSON_DEPTH levels. */
export function isTooDeep(value: unknown): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > MAX_JSON_DEPTH) return true;
		level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
	}
	return false;
}
