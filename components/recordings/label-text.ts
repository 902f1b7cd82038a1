/**
 * The label in a text like `build=123`; without an equals sign it has no value, and without a key the result is null.
 */
export function labelIn(text: string): { key: string; value: string } | null {
	const at = text.indexOf("=");
	const key = (at < 0 ? text : text.slice(0, at)).trim();
	return key === "" ? null : { key, value: at < 0 ? "" : text.slice(at + 1).trim() };
}
