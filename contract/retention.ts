/** The retention policy of an organization: how long recordings, the trash and test results are kept. */
import * as z from "zod";
import { idSchema, timestampSchema } from "./primitives.ts";

export const DEFAULT_RETENTION = {
	maxAgeDays: 30,
	maxDiskPercent: 80,
	maxBytes: null,
	trashHours: 24,
	testResultDays: 400,
} as const;
export const retentionBodySchema = z.strictObject({
	/** Delete recordings older than this; null disables deletion by age. */
	maxAgeDays: z
		.int({ error: "Use a whole number of days, or null." })
		.min(1, { error: "Use at least 1 day." })
		.max(36_500, { error: "Use at most 36500 days." })
		.nullable(),
	/** Delete the oldest while disk usage exceeds this percentage; null disables this. */
	maxDiskPercent: z
		.int({ error: "Use a whole percentage, or null." })
		.min(1, { error: "Use a percentage from 1 to 99." })
		.max(99, { error: "Use a percentage from 1 to 99." })
		.nullable(),
	/** Delete the oldest while the organization stores more bytes than this; null disables this. */
	maxBytes: z
		.int({ error: "Use a whole number of bytes, or null." })
		.min(1, { error: "Use at least 1 byte." })
		.nullable(),
	/** Hours for which deleted recordings stay in the trash, where they can be restored. If omitted, it does not change. */
	trashHours: z
		.int({ error: "Use a whole number of hours." })
		.min(0, { error: "Use 0 or more hours." })
		.max(720, { error: "Use at most 720 hours (30 days)." })
		.optional(),
	/** Days for which test results are kept, with the frames of their failures. If omitted, it does not change. */
	testResultDays: z
		.int({ error: "Use a whole number of days." })
		.min(1, { error: "Use at least 1 day." })
		.max(36_500, { error: "Use at most 36500 days." })
		.optional(),
});
export type RetentionPolicy = z.infer<typeof retentionBodySchema>;
/** Recordings that a policy would delete immediately. At most 100,000 recordings are counted. */
export const retentionPreviewSchema = z.object({
	recordings: z.int().nonnegative(),
	bytes: z.int().nonnegative(),
	/** Number of these that show a failure. They are deleted last. */
	failed: z.int().nonnegative(),
	/** The newest of them; null if there are none. */
	newest: z.object({ recordingId: idSchema, name: z.string(), createdAt: timestampSchema }).nullable(),
});
export type RetentionPreview = z.infer<typeof retentionPreviewSchema>;
export const retentionSchema = retentionBodySchema.extend({
	trashHours: z.int(),
	testResultDays: z.int(),
	/** Bytes including the trash. */
	storedBytes: z.int(),
	/** Recordings that are not in the trash. */
	storedRecordings: z.int(),
	trashBytes: z.int(),
	trashRecordings: z.int(),
	diskPercent: z.number(),
	/**
	 * Recordings beyond the limits of age and bytes, which are being deleted in small steps. At most 100,000 are counted.
	 */
	overdueRecordings: z.int().nonnegative(),
	/**
	 * The clock has jumped ahead, so nothing is deleted by age until it is back or confirmed: the last time that was
	 * believed, and what the clock says. Null otherwise.
	 */
	clockJump: z.object({ lastSeenAt: timestampSchema, now: timestampSchema }).nullable(),
	/** At most ten recordings that will be deleted next, with the reasons. */
	next: z.array(
		z.object({
			recordingId: idSchema,
			name: z.string(),
			bytes: z.int(),
			deleteAt: timestampSchema,
			reason: z.enum(["age", "size", "disk"]),
		}),
	),
});
export type Retention = z.infer<typeof retentionSchema>;
