/** Rules for text that people enter and read: names and labels. Without zod, because pages need some of it. */

/**
 * Control characters, line separators and lone surrogates do not belong in a name, and PostgreSQL cannot store NUL.
 * Spelled out as ranges, because the pattern is part of the OpenAPI document and few languages support \p{…}.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
export const PLAIN_TEXT = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
const NOT_PLAIN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/gu;

/** The same with at least one character that is no space, for the OpenAPI document: the rule for `isVisible` is finer. */
export const PLAIN_VISIBLE_TEXT =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
	/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*[^\s\u0000-\u001f\u007f-\u009f\ud800-\udfff][^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*$/u;

/** A visible character: no space, zero width, direction mark or filler (U+2800 is an empty Braille cell). */
const MARK = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** Whether the text has at least one visible character. */
export const isVisible = (text: string): boolean => MARK.test(text);

/** The nearest valid name of at most `max` characters; empty when nothing visible is left. */
export function sanitizeName(text: string, max: number): string {
	const plain = text.replace(NOT_PLAIN, " ").trim().slice(0, max);
	// The cut may have split a surrogate pair.
	const name = plain.replace(/[\ud800-\udfff]$/u, "").trimEnd();
	return isVisible(name) ? name : "";
}
