/** The label of a text like `build=123`; without a value where there is no equals sign, null without a key. */
export function labelIn(text: string): { key: string; value: string } | null {
	const at = text.indexOf("=");
	const key = (at < 0 ? text : text.slice(0, at)).trim();
	return key === "" ? null : { key, value: at < 0 ? "" : text.slice(at + 1).trim() };
}
