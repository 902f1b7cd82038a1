/** What every list answers, and the pieces that many schemas share. */
import * as z from "zod";

/** RFC 3339 in UTC with milliseconds: `2026-11-21T01:12:00.000Z`. */
export const timestampSchema = z.iso.datetime({ precision: 3 });
export const idSchema = z.int().positive();

/**
 * Control characters and halves of surrogate pairs have no place in a name, and PostgreSQL takes no NUL. Told by
 * ranges, because the pattern stands in the contract document and few languages know \p{…}.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
export const PLAIN_TEXT = /^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/u;
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
