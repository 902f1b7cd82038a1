/** Names inside sentences. */

/** Letters that run from right to left, and marks that turn what stands around them. */
const TURNS =
	/[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The name between FIRST STRONG ISOLATE and POP where it could turn the words around it (Unicode TR9). */
export const isolated = (name: string): string => (TURNS.test(name) ? `\u2068${name}\u2069` : name);

/** The name in quotation marks. */
export const quoted = (name: string): string => `“${isolated(name)}”`;
