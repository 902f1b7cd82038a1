/** Builds: the values of the label `build`, and what their recordings came to. */
import * as z from "zod";
import "./no-eval.ts";
import { MAX_LABEL_VALUE } from "./labels.ts";
import { limitParam, pageOf } from "./page.ts";
import { PLAIN_TEXT } from "./plain-text.ts";
import { timestampSchema } from "./primitives.ts";
import { nameSearchParam } from "./query-params.ts";

export const buildSchema = z.object({
	build: z.string(),
	/** All recordings with this label; the counts below are of some of them. */
	recordings: z.int(),
	passed: z.int(),
	failed: z.int(),
	error: z.int(),
	skipped: z.int(),
	withoutOutcome: z.int(),
	/** By verdict. */
	black: z.int(),
	/** In progress. */
	running: z.int(),
	/** How long the recordings are together, without those in progress. */
	durationSeconds: z.number(),
	/** When the first and the last of its recordings were created; that one may be deleted since. */
	firstAt: timestampSchema,
	lastAt: timestampSchema,
});
export type Build = z.infer<typeof buildSchema>;
export const buildPageSchema = pageOf(buildSchema);

export const listBuildsQuerySchema = z.object({
	limit: limitParam,
	q: nameSearchParam,
	/** Has the name of a build in it. */
	cursor: z.string().max(2_000).optional(),
});
export type ListBuildsQuery = z.output<typeof listBuildsQuerySchema>;

export const buildParamsSchema = z.object({ build: z.string().min(1).max(MAX_LABEL_VALUE).regex(PLAIN_TEXT) });
