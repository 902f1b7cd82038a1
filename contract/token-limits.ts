/** Limits of a runner token, so that a leaked one is worth little. */
import * as z from "zod";
import { parseGridPattern } from "./grid-pattern.ts";
import { DISPLAY_ID_PATTERN } from "./job.ts";
import { type Labels, labelsSchema, storedLabelsSchema } from "./labels.ts";
import { onTheWire } from "./on-the-wire.ts";
import { CAPABILITIES, type Capability } from "./permissions.ts";
import { plainText, timestampSchema } from "./primitives.ts";

export const MAX_TOKEN_RUNNERS = 10_000;
const MAX_ENTRIES = 50;

const RUNNERS = `Send maxRunners as a whole number from 1 to ${MAX_TOKEN_RUNNERS}, or leave it out.`;
const PATTERN = "Send a pattern of 1 to 100 characters, such as ci-*, or leave it out.";
const DISPLAYS = `Send 1 to ${MAX_ENTRIES} displays, such as [":99"], or leave it out.`;
const GRIDS = `Send 1 to ${MAX_ENTRIES} grids, such as ["http://selenium:4444"], or leave it out.`;

const gridSchema = plainText("a grid", GRIDS)
	.trim()
	.max(500, { error: "Send a grid of at most 500 characters." })
	.refine((word) => parseGridPattern(word) !== null, {
		error: "Send a grid such as http://selenium:4444 or *.grid.example.",
	})
	.register(onTheWire, { minLength: 1 });

const CAN = `Send capabilities as a list of ${CAPABILITIES.join(", ")}, or leave it out for all of them.`;
export const capabilitiesSchema = z
	.array(z.enum(CAPABILITIES, { error: CAN }), { error: CAN })
	.min(1, { error: CAN })
	.max(CAPABILITIES.length, { error: "Send each capability once." });

/** The limits in the body that creates a token. Those left out, or null, do not limit it. */
export const tokenLimitsShape = {
	maxRunners: z
		.int({ error: RUNNERS })
		.min(1, { error: RUNNERS })
		.max(MAX_TOKEN_RUNNERS, { error: RUNNERS })
		.nullish()
		.describe("The maximum number of runners that signed in with it; removed ones do not count"),
	enrollUntil: z.iso
		.datetime({ offset: true, error: "Send enrollUntil as an RFC 3339 time, such as 2027-01-31T00:00:00Z, or null." })
		.nullish()
		.describe("After it, only runners that have signed in before can, from the same data directory"),
	namePattern: plainText("namePattern", PATTERN)
		.trim()
		.min(1, { error: PATTERN })
		.max(100, { error: PATTERN })
		.nullish()
		.describe("A pattern for the names of its runners; * is a wildcard"),
	labels: labelsSchema.optional().describe("Given to its runners, which cannot have other values of them"),
	displays: z
		.array(z.string().regex(DISPLAY_ID_PATTERN, { error: "Send a display such as :99." }), { error: DISPLAYS })
		.min(1, { error: DISPLAYS })
		.max(MAX_ENTRIES, { error: DISPLAYS })
		.nullish()
		.describe("The only displays that its runners have"),
	grids: z
		.array(gridSchema, { error: GRIDS })
		.min(1, { error: GRIDS })
		.max(MAX_ENTRIES, { error: GRIDS })
		.nullish()
		.describe("The only grids whose jobs its runners get: addresses, hosts, or *.example.com for all subdomains"),
	capabilities: capabilitiesSchema
		.nullish()
		.describe("What its runners do: record, take screenshots (screenshot), upload files (upload)"),
};

/** The same in responses, with how much is used. */
export const publicTokenLimitsShape = {
	maxRunners: z.int().nullable(),
	/** The runners that have signed in with it, or with a token that it replaces, and were not removed. */
	runnerCount: z.int(),
	enrollUntil: timestampSchema.nullable(),
	namePattern: z.string().nullable(),
	labels: storedLabelsSchema,
	displays: z.array(z.string()).nullable(),
	grids: z.array(z.string()).nullable(),
	capabilities: z.array(z.enum(CAPABILITIES)).nullable(),
};

/** The limits that are stored with a token and with the runners that signed in with it. */
export interface TokenLimits {
	maxRunners: number | null;
	/** Milliseconds since 1970. */
	enrollUntil: number | null;
	namePattern: string | null;
	labels: Labels;
	displays: string[] | null;
	grids: string[] | null;
	/** Null for all; missing in limits that were stored before there were any. */
	capabilities?: Capability[] | null;
}

/** Whether a name has the form of a pattern, in which `*` stands for any text. */
export function matchesPattern(name: string, pattern: string): boolean {
	const [first = "", ...rest] = pattern.split("*");
	const last = rest.pop();
	if (last === undefined) return name === pattern;
	if (!name.startsWith(first)) return false;
	let at = first.length;
	for (const part of rest) {
		const found = name.indexOf(part, at);
		if (found < 0) return false;
		at = found + part.length;
	}
	return name.length - last.length >= at && name.endsWith(last);
}
