/** The limit of nesting for JSON from outside. */

/** Deeper values overflow the stack of what reads them next. No client needs a tenth of it. */
export const MAX_JSON_DEPTH = 1_000;

/** @returns whether objects and lists are nested more than MAX_JSON_DEPTH levels. */
export function isTooDeep(value: unknown): boolean {
	let level = [value].filter(isNested);
	for (let depth = 1; level.length > 0; depth += 1) {
		if (depth > MAX_JSON_DEPTH) return true;
		const next: object[] = [];
		for (const each of level) for (const child of Object.values(each)) if (isNested(child)) next.push(child);
		level = next;
	}
	return false;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
