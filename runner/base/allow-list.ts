/** Lists that restrict a runner: entries separated by commas. Without a list, everything is allowed. */

/**
 * @param example two valid entries, for the error message.
 * @returns the entries in order, or an error message.
 */
export function parseList<Entry>(
	text: string,
	parse: (word: string) => Entry | null,
	example: string,
): { word: string; entry: Entry }[] | string {
	const words = text.split(",").map((word) => word.trim());
	const entries: { word: string; entry: Entry }[] = [];
	for (const word of words.filter((word) => word !== "")) {
		const entry = parse(word);
		if (entry === null) return `Use ${example}, separated by commas, not "${word}".`;
		entries.push({ word, entry });
	}
	return entries.length > 0 ? entries : `Use ${example}, or leave it out to allow everything.`;
}
