/** The tools that record, of the Model Context Protocol: the dashboard serves them, and so does a runner to its own machine. */
import * as z from "zod";
import "./no-eval.ts";
import { jobNameSchema } from "./job.ts";
import { labelsSchema } from "./labels.ts";
import { MARKER_KINDS, OUTCOMES } from "./recording-kinds.ts";
import { MAX_DURATION_SECONDS } from "./stop-condition.ts";

const DEFAULT_MINUTES = 30;
const MAX_MINUTES = MAX_DURATION_SECONDS / 60;
const MINUTES = `Send max_minutes as a whole number from 1 to ${MAX_MINUTES}, or leave it out for ${DEFAULT_MINUTES}.`;

/** Arguments are objects of schemas, so that each server adds its own. */
export const recordStartTool = {
	name: "record_start",
	description:
		"Record a display from now on. Returns once the first frame is recorded. Calling it again with the same name while it records returns the same job.",
	input: {
		name: jobNameSchema.describe("The content of the video, such as: Fix of the empty cart"),
		display: z.string().optional().describe("Such as :99; not needed if there is only one"),
		labels: labelsSchema.optional().describe("Such as commit, branch"),
		max_minutes: z
			.int({ error: MINUTES })
			.min(1, { error: MINUTES })
			.max(MAX_MINUTES, { error: MINUTES })
			.default(DEFAULT_MINUTES)
			.describe("It ends by itself then"),
	},
} as const;

export const recordMarkTool = {
	name: "record_mark",
	description: "Name this moment of a running recording. It becomes a chapter of the video.",
	input: {
		label: z.string().describe("Such as: Pay is clicked"),
		kind: z.enum(MARKER_KINDS).optional().describe("fail also makes the outcome failed"),
		message: z.string().optional().describe("More, such as the error"),
	},
} as const;

export const recordStopTool = {
	name: "record_stop",
	input: {
		outcome: z.enum(OUTCOMES, { error: `Send outcome as one of ${OUTCOMES.join(", ")}, or leave it out.` }).optional(),
		proof: z.boolean().optional(),
	},
} as const;
