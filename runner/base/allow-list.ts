/** Lists by which an operator restricts what a runner serves: entries separated by commas; none at all means everything. */

/** @returns the entries in order; or the sentence that says what is wrong with the list. */
export function readList<Entry>(
	text: string,
	read: (word: string) => Entry | null,
	example: string,
): { word: string; entry: Entry }[] | string {
	const words = text.split(",").map((word) => word.trim());
	const entries: { word: string; entry: Entry }[] = [];
	for (const word of words.filter((word) => word !== "")) {
		const entry = read(word);
		if (entry === null) return `Give ${example}, separated by commas, not "${word}".`;
		entries.push({ word, entry });
	}
	return entries.length > 0 ? entries : `Give ${example}, or leave it out to allow everything.`;
}
