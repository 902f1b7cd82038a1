/** What every list answers, and the pieces that many schemas share. */
import * as z from "zod";
import "./no-eval.ts";
import { isVisible, PLAIN_TEXT } from "./plain-text.ts";

/** RFC 3339 in UTC with milliseconds: `2026-11-21T01:12:00.000Z`. */
export const timestampSchema = z.iso.datetime({ precision: 3 });
export const idSchema = z.int().positive();

/**
 * A name that people give and read, trimmed: without control characters, and with something to see.
 * @param options the most characters that it may have, what to call it, and words behind what to send.
 */
export function nameSchema({ max, what = "name", how = "" }: { max: number; what?: string; how?: string }) {
	const length = { error: `Send a ${what} of 1 to ${max} characters${how}.` };
	return z
		.string({ error: `Send a ${what} as a string${how}.` })
		.trim()
		.min(1, length)
		.max(max, length)
		.regex(PLAIN_TEXT, { error: `Send a ${what} without line breaks and other control characters.` })
		.refine((text) => text === "" || isVisible(text), { error: `Send a ${what} with at least one visible character.` });
}

export const searchParam = z
	.string()
	.max(200, { error: "Send q with at most 200 characters." })
	.regex(PLAIN_TEXT, { error: "Send q without control characters." })
	.optional();

export const pageOf = <T extends z.ZodType>(item: T) =>
	z.object({ data: z.array(item), nextCursor: z.string().nullable() });

export type Page<T> = { data: T[]; nextCursor: string | null };

const intParam = (name: string, min: number, max: number) =>
	z
		.string()
		.regex(/^-?\d+$/, { error: `Send ${name} as a whole number from ${min} to ${max}.` })
		.transform(Number)
		.refine((value) => value >= min && value <= max, {
			error: `Send ${name} as a whole number from ${min} to ${max}.`,
		});

export const limitParam = intParam("limit", 1, 100).default(50);
export const cursorParam = z.string().max(500).optional();
export const idParam = (name: string) => intParam(name, 1, Number.MAX_SAFE_INTEGER);
export const secondsParam = (name: string, min: number, max: number) => intParam(name, min, max);
export const instantParam = (name: string) =>
	z.iso
		.datetime({ offset: true, error: `Send ${name} as an RFC 3339 time, such as 2026-11-21T01:12:00Z.` })
		.transform((value) => Date.parse(value))
		.optional();

/** `?status=a&status=b`: one value or several, always read as a list. */
export const repeatable = <T extends z.ZodType>(item: T) =>
	z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(item).optional());
