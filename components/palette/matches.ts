/** What of a list fits what was typed, and which part of each name it was. */

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well `name` fits: 0 not at all, else the more the better. Every word of `text` must be in it. */
export function fitOf(name: string, text: string): number {
	const lower = name.toLowerCase();
	let fit = 1;
	for (const word of wordsIn(text)) {
		const at = lower.indexOf(word);
		if (at < 0) return 0;
		if (at === 0) fit += 3;
		else if (/[^\p{L}\p{N}]/u.test(lower[at - 1] ?? "")) fit += 2;
		else fit += 1;
	}
	return fit;
}

/** Those that fit, the best first; equal ones keep their order. @param nameOf what of an item is looked at */
export function fitting<T>(items: readonly T[], text: string, nameOf: (item: T) => string): T[] {
	return items
		.map((item) => ({ item, fit: fitOf(nameOf(item), text) }))
		.filter(({ fit }) => fit > 0)
		.sort((one, other) => other.fit - one.fit)
		.map(({ item }) => item);
}

/** `name` in pieces, and which of them are what was typed. */
export function pieces(name: string, text: string): { text: string; found: boolean; at: number }[] {
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
