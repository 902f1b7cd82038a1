/** Whether the failures of a job or a test run are all known, so that CI passes: `POST /v1/jobs/{id}/gate`, `POST /v1/test-runs/{id}/gate`. */
import * as z from "zod";
import "./no-eval.ts";
import { idSchema, timestampSchema } from "./primitives.ts";

/** A cause lets CI pass for so long at most. */
export const MAX_LETS_PASS_DAYS = 30;
/** So many causes of an organization let CI pass at a time. */
export const MAX_LETTING_PASS = 50;
/** Tests that an answer names for each cause. */
export const MAX_GATE_TESTS = 20;

const RESULTS = "Send failed as the ids of the results that failed, at most 10000, or leave it out.";
export const gateBodySchema = z.strictObject({
	failed: z
		.array(idSchema, { error: RESULTS })
		.max(10_000, { error: RESULTS })
		.describe("Results that the caller knows to have failed. If the job or test run lacks one, the gate stays shut.")
		.default([]),
});
export type GateBody = z.output<typeof gateBodySchema>;

const gateCauseSchema = z.object({
	/** Null for a failure without a message, which is never known. */
	cause: z.string().nullable(),
	/** The newest failure's reason. */
	title: z.string(),
	/** Failed tests with this cause, and the names of the first of them. */
	tests: z.int(),
	names: z.array(z.string()),
});
export const gateSchema = z.object({
	/** Whether tests failed, each with a cause that lets CI pass, and nothing else is wrong. */
	passes: z.boolean(),
	/** The reason that keeps the gate shut in addition to new causes; null without one. */
	refusal: z.string().nullable(),
	/** Causes that let CI pass, with who looks after them, why and until when. */
	known: z.array(
		gateCauseSchema.extend({ owner: z.string(), reason: z.string().nullable(), mutedUntil: timestampSchema }),
	),
	/** All others. */
	new: z.array(
		gateCauseSchema.extend({
			/**
			 * The first failure with this cause since the first of its tests last passed on this branch, which may be one of these. Null
			 * without a cause, and after the first 50 causes.
			 */
			since: z
				.object({
					id: idSchema,
					startedAt: timestampSchema,
					build: z.string().nullable(),
					commit: z.string().nullable(),
				})
				.nullable(),
		}),
	),
	/** All of this in one line. */
	summary: z
		.string()
		.describe(
			"Such as: 2 causes: 1 known (let through by Ada until 2026-12-04: …), 1 new: Checkout › pays, since this commit.",
		),
});
export type Gate = z.infer<typeof gateSchema>;
