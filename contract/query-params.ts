/** Query parameters, which come as text. */
import * as z from "zod";
import "./no-eval.ts";
import { onTheWire } from "./on-the-wire.ts";
import { plainText } from "./primitives.ts";
import { ORDERS } from "./recording-kinds.ts";
import { MAX_SEARCH_LENGTH, parseSearch } from "./search.ts";

/** An integer from `min` to `max`. */
export const intParam = (name: string, min: number, max: number) =>
	z
		.string()
		.regex(/^-?\d+$/, { error: `Send ${name} as a whole number from ${min} to ${max}.` })
		.transform(Number)
		.refine((value) => value >= min && value <= max, {
			error: `Send ${name} as a whole number from ${min} to ${max}.`,
		})
		.register(onTheWire, { type: "integer", minimum: min, maximum: max });

export const idParam = (name: string) => intParam(name, 1, Number.MAX_SAFE_INTEGER);
export const secondsParam = (name: string, min: number, max: number) => intParam(name, min, max);
/** Longer than any video, so that sums with it are exact. */
export const MAX_SECONDS = 1_000_000_000;
/** Any finite number, as programs write it: `12.5`, `12.340000000000002`, `1e-7`. What no video has is cut. */
const anySeconds = (error: string) =>
	z
		.string({ error })
		.max(400, { error })
		.regex(/^-?\d+(\.\d*)?([eE][+-]?\d+)?$/, { error })
		.transform(Number)
		.refine(Number.isFinite, { error })
		.transform((seconds) => Math.min(Math.max(seconds, -MAX_SECONDS), MAX_SECONDS));

/** Seconds from the beginning of a video. */
export function momentParam(name: string) {
	const error = `Send ${name} as seconds from the beginning, such as 12.5.`;
	return anySeconds(error)
		.refine((seconds) => seconds >= 0, { error })
		.register(onTheWire, { type: "number", minimum: 0 })
		.optional();
}
/** Seconds between two videos, which may be negative. */
export const offsetParam = (name: string) =>
	anySeconds(`Send ${name} as seconds, such as 1.5 or -2.`).register(onTheWire, { type: "number" });
export const instantParam = (name: string) =>
	z.iso
		.datetime({ offset: true, error: `Send ${name} as an RFC 3339 time, such as 2026-11-21T01:12:00Z.` })
		.transform((value) => Date.parse(value))
		.optional();

export const orderParam = z
	.enum(ORDERS, { error: "Send order as desc or asc, or leave it out for desc." })
	.default("desc");

/** `?status=a&status=b`: one or several values, always parsed as a list. */
export const repeatable = <T extends z.ZodType>(item: T) =>
	z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(item).optional());

/**
 * Returned by searched lists: the line in which a word was found that neither the name nor the build or branch has. A label's
 * value, a session's name, or an error line of a track in lower case; at most 200 characters.
 */
export const matchedLineSchema = z.string();

/** @returns the faults of a search, with their places. */
export const searchFaults = (q: string): string[] =>
	parseSearch(q.slice(0, MAX_SEARCH_LENGTH)).faults.map(({ at, message }) => `At character ${at + 1} of q: ${message}`);

const searchText = plainText("q")
	.max(MAX_SEARCH_LENGTH, { error: `Send q with at most ${MAX_SEARCH_LENGTH} characters.` })
	.superRefine((text, ctx) => {
		for (const message of searchFaults(text)) ctx.addIssue({ code: "custom", message });
	});

/** A search of builds. */
export const buildSearchParam = searchText
	.describe(
		"Words that are all in the name, the branch or the commit, in upper or lower case, and the filters of other lists, such as branch:main, commit:3f2a1b0, outcome:failed, test:Login, label:team=web: a build has them, or one of its jobs, recordings or test results. A leading minus excludes, quotes group. At most 20.",
	)
	.optional();

/** A search of tests. */
export const testSearchParam = searchText
	.describe(
		"Words that are all in the title, the suite, the file, the project or the repository, in upper or lower case, and filters such as outcome:failed, flaky:yes, new:yes, suite:Login, file:login.spec.ts, owner:Ada: the last outcome of a test, its owner, and what one of its last 30 results has. build: and commit: look at all results. A leading minus excludes, quotes group. At most 20.",
	)
	.optional();

export const searchParam = searchText
	.describe(
		"Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters.",
	)
	.optional();
