/** Lists that restrict a runner: entries separated by commas. Without a list, everything is allowed. */

/**
 * @param example two valid entries, for the error message.
 * @returns the entries in order, or an error message.
 */
export function parseList<Entry>(
	text: string,
	parse: (item: string) => Entry | null,
	example: string,
): { text: string; entry: Entry }[] | string {
	const items = text.split(",").map((item) => item.trim());
	const entries: { text: string; entry: Entry }[] = [];
	for (const item of items.filter((item) => item !== "")) {
		const entry = parse(item);
		if (entry === null) return `Use ${example}, separated by commas, not "${item}".`;
		entries.push({ text: item, entry });
	}
	return entries.length > 0 ? entries : `Use ${example}, or leave it out to allow everything.`;
}
