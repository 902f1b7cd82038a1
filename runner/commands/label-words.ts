/** Labels on the command line. */
import { LABEL_KEY_PATTERN, MAX_LABEL_VALUE } from "@tapedeck/contract/labels.ts";

/** Reads `key=value`. @returns null if it is no label. */
export function labelOf(text: string): [string, string] | null {
	const at = text.indexOf("=");
	const [key, value] = [text.slice(0, at), text.slice(at + 1)];
	return at > 0 && LABEL_KEY_PATTERN.test(key) && value.length <= MAX_LABEL_VALUE ? [key, value] : null;
}
