/** Failures since a person last looked, and the recordings that they are compared with. */
import * as z from "zod";
import { MAX_LABEL_VALUE } from "./labels.ts";
import { plainText, timestampSchema } from "./primitives.ts";
import { recordingSchema } from "./recording.ts";

/** Up to when the caller has seen what failed, or those of a group; null if they never said so. */
export const failuresSeenSchema = z.object({ seenAt: timestampSchema.nullable() });
export type FailuresSeen = z.infer<typeof failuresSeenSchema>;
const SEEN_AT = "Send seenAt as the newestAt of the failures that were seen, or null.";
const ONE_GROUP = "Send one of cause, test, build and screen, or none of them for all failures.";
export const failuresSeenBodySchema = z
	.strictObject({
		seenAt: z.iso
			.datetime({ offset: true, error: SEEN_AT })
			.transform((value) => Date.parse(value))
			.nullable(),
		/** Only those of one group, by its key in `GET /v1/test-failures`. */
		cause: plainText("cause").min(1).max(64).optional(),
		test: z
			.string()
			.regex(/^[1-9]\d{0,15}$/, { error: "Send test as the id of a test." })
			.optional(),
		build: plainText("build").min(1).max(MAX_LABEL_VALUE).optional(),
		screen: z
			.string()
			.regex(/^[0-9a-f]{16}$/, { error: "Send screen as 16 hexadecimal digits." })
			.optional(),
	})
	.refine(({ seenAt: _, ...groups }) => Object.keys(groups).length <= 1, { error: ONE_GROUP });
export type FailuresSeenBody = z.output<typeof failuresSeenBodySchema>;

/** The last video of the same test before this one that passed. */
export const lastPassedSchema = z.object({
	/** Null if there is none, or it was deleted. */
	recording: recordingSchema.nullable(),
	/** The common property of both: the first failed test or the label `test`, or the name if this recording has neither. */
	matchedBy: z.enum(["test", "name"]),
	/** Whether both have the same label `branch`. If not, the last ones have none that passed on that branch. */
	sameBranch: z.boolean(),
});
export type LastPassed = z.infer<typeof lastPassedSchema>;
