/** Matching names against the typed text, and which part of each name to highlight. */

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well `name` matches: 0 not at all, else the higher the better. Every word of `text` must be in it. */
export function matchScore(name: string, text: string): number {
	const lower = name.toLowerCase();
	let score = 1;
	for (const word of wordsIn(text)) {
		const at = lower.indexOf(word);
		if (at < 0) return 0;
		if (at === 0) score += 3;
		else if (/[^\p{L}\p{N}]/u.test(lower[at - 1] ?? "")) score += 2;
		else score += 1;
	}
	return score;
}

/** The items that match, best first; equal ones keep their order. @param nameOf the text of an item to match */
export function bestMatches<T>(items: readonly T[], text: string, nameOf: (item: T) => string): T[] {
	return items
		.map((item) => ({ item, score: matchScore(nameOf(item), text) }))
		.filter(({ score }) => score > 0)
		.sort((one, other) => other.score - one.score)
		.map(({ item }) => item);
}

/** Splits `name` into the parts that match the typed words and the parts between them. */
export function highlight(name: string, text: string): { text: string; found: boolean; at: number }[] {
	const words = wordsIn(text).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	if (words.length === 0) return [{ text: name, found: false, at: 0 }];
	let at = 0;
	return name
		.split(new RegExp(`(${words.join("|")})`, "iu"))
		.map((piece, index) => {
			const start = at;
			at += piece.length;
			return { text: piece, found: index % 2 === 1, at: start };
		})
		.filter((piece) => piece.text !== "");
}
