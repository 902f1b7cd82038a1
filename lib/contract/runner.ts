/** Runners on the wire, as people and scripts see them. */
import * as z from "zod";
import { DISPLAY_ID_PATTERN } from "./job.ts";
import { idSchema, pageOf, timestampSchema } from "./page.ts";

export const displaySchema = z.object({
	id: z.string().regex(DISPLAY_ID_PATTERN),
	width: z.int().positive(),
	height: z.int().positive(),
});
export type Display = z.infer<typeof displaySchema>;

export const runnerSchema = z.object({
	id: idSchema,
	organizationId: idSchema,
	name: z.string(),
	state: z.enum(["online", "offline"]),
	displays: z.array(displaySchema),
	version: z.string(),
	/** True to 10 s. */
	lastSeenAt: timestampSchema.nullable(),
	runningJobIds: z.array(idSchema),
});
export type Runner = z.infer<typeof runnerSchema>;
export const runnerPageSchema = pageOf(runnerSchema);
