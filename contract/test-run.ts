/** Test runs: results that no job recorded, such as those of a headless browser or of an imported report. */
import * as z from "zod";
import "./no-eval.ts";
import { attachmentSchema } from "./attachment.ts";
import { creatorSchema } from "./job.ts";
import { labelsSchema, MAX_LABEL_VALUE, storedLabelsSchema } from "./labels.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { MAX_MESSAGE_BYTES, sanitizeMessage } from "./plain-text.ts";
import { idSchema, nameSchema, plainText, timestampSchema } from "./primitives.ts";
import { OUTCOMES } from "./recording-kinds.ts";

/** A run that reports nothing for so long ends with the outcome `error`. A later report continues it. */
export const ABANDONED_AFTER_HOURS = 2;

const KEY = "Send key as text of 1 to 200 characters, or leave it out.";

export const createTestRunBodySchema = z.strictObject({
	name: nameSchema({ max: 200 }).optional(),
	labels: labelsSchema.optional(),
	/** The tool that reports, such as `playwright`. */
	source: nameSchema({ max: 100, what: "source" }).optional(),
	/** The organization has one run with this key: a call that is repeated returns it. */
	key: plainText("key", KEY).min(1, { error: KEY }).max(200, { error: KEY }).optional(),
	/** Failures of this run never count as new, such as those of old reports. */
	quietHistory: z.boolean({ error: "Send quietHistory as true or false." }).optional(),
});
export type CreateTestRun = z.output<typeof createTestRunBodySchema>;

export const endTestRunBodySchema = z.strictObject({
	outcome: z.enum(OUTCOMES, { error: `Send outcome as one of ${OUTCOMES.join(", ")}.` }),
	/** Why, for a run without results: a command that failed before its first test has the end of its output here. */
	message: z
		.string({ error: "Send message as text, or leave it out." })
		.transform((text) => sanitizeMessage(text, MAX_MESSAGE_BYTES))
		.nullish(),
});
export type EndTestRun = z.output<typeof endTestRunBodySchema>;

export const testRunSchema = z.object({
	id: idSchema,
	organizationId: idSchema,
	name: z.string(),
	source: z.string().nullable(),
	key: z.string().nullable(),
	labels: storedLabelsSchema,
	/** Null while it runs. */
	outcome: z.enum(OUTCOMES).nullable(),
	/** Nobody ended it: it reported nothing for 2 hours. */
	isAbandoned: z.boolean(),
	quietHistory: z.boolean(),
	createdAt: timestampSchema,
	/** Null while it runs. */
	endedAt: timestampSchema.nullable(),
	createdBy: creatorSchema.nullable(),
	/** Number of its results, each attempt of each test, by outcome. */
	results: z.object({
		all: z.int(),
		passed: z.int(),
		failed: z.int(),
		error: z.int(),
		skipped: z.int(),
		running: z.int(),
	}),
	/** Files of the run itself; its results have their own. */
	attachmentCount: z.int(),
	/** The page of its build; without the label `build`, that of its first failure, or its first result. Null without any. */
	url: z.string().nullable(),
});
export type TestRun = z.infer<typeof testRunSchema>;
/** The run that `GET /v1/test-runs/{id}` returns. */
export const testRunDetailSchema = testRunSchema.extend({
	attachments: z.array(attachmentSchema),
});
export type TestRunDetail = z.infer<typeof testRunDetailSchema>;
export const testRunPageSchema = pageOf(testRunSchema);

export const listTestRunsQuerySchema = z.object({
	build: plainText("build").max(MAX_LABEL_VALUE).describe("Only those with this label `build`.").optional(),
	limit: limitParam,
	cursor: cursorParam,
});
export type ListTestRunsQuery = z.output<typeof listTestRunsQuerySchema>;
