/** Building blocks of all schemas: ids, timestamps and names. */
import * as z from "zod";
import "./no-eval.ts";
import { onTheWire } from "./on-the-wire.ts";
import { isVisible, PLAIN_TEXT, PLAIN_VISIBLE_TEXT } from "./plain-text.ts";

/** RFC 3339 in UTC with milliseconds: `2026-11-21T01:12:00.000Z`. */
export const timestampSchema = z.iso.datetime({ precision: 3 });
export const idSchema = z.int().positive();

/**
 * Text of one line, without control characters and lone surrogates. All text from clients is of this type, of a stricter
 * one, or loses these characters (plain-text.ts): app/v1/text-fields.test.ts checks every operation.
 * @param name what messages call it. @param missing the message when it is no text.
 */
export const plainText = (name: string, missing = `Send ${name} as text.`) =>
	z
		.string({ error: missing })
		.regex(PLAIN_TEXT, { error: `Send ${name} without line breaks or other control characters.` });

/**
 * A name that people enter, trimmed: without control characters, and with at least one visible character.
 * @param options maximum length, what to call the name in messages, and text to append to them.
 */
export function nameSchema({ max, what = "name", how = "" }: { max: number; what?: string; how?: string }) {
	const length = { error: `Use a ${what} of 1 to ${max} characters${how}.` };
	return z
		.string({ error: `Send a ${what} as a string${how}.` })
		.trim()
		.min(1, length)
		.max(max, length)
		.regex(PLAIN_TEXT, { error: `Use a ${what} without line breaks or other control characters.` })
		.refine((text) => text === "" || isVisible(text), { error: `Use a ${what} with at least one visible character.` })
		.register(onTheWire, { pattern: PLAIN_VISIBLE_TEXT.source });
}

/** A name that is shown as a label, such as a person's or an API key's. */
export const labelSchema = nameSchema({ max: 100 });

export const emailSchema = z.email({ error: "Use an email address, such as you@example.com." }).max(200, {
	error: "Use an email address of at most 200 characters.",
});
