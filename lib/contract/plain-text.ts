/** What text must be that people give and read: names, labels. Without zod: pages need some of it. */

/**
 * Control characters, line separators and halves of surrogate pairs have no place in a name, and PostgreSQL takes no
 * NUL. Told by ranges, because the pattern stands in the contract document and few languages know \p{…}.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
export const PLAIN_TEXT = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
const NOT_PLAIN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/gu;

/** One that leaves a mark: no space, no zero width, no direction mark, no filler (U+2800 is an empty Braille cell). */
const MARK = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** Whether there is something to see in it. */
export const isVisible = (text: string): boolean => MARK.test(text);

/** A name of at most `max` characters that is as near to `text` as may be; empty when nothing can be seen in it. */
export function fittingName(text: string, max: number): string {
	const plain = text.replace(NOT_PLAIN, " ").trim().slice(0, max);
	// The cut may have halved the last character.
	const name = plain.replace(/[\ud800-\udfff]$/u, "").trimEnd();
	return isVisible(name) ? name : "";
}
