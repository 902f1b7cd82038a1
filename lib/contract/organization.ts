/** Organizations and their retention policy. */
import * as z from "zod";
import { keepSchema, maxDurationSchema } from "./labels.ts";
import { idSchema, labelSchema, timestampSchema } from "./primitives.ts";

export const organizationBodySchema = z.strictObject({ name: labelSchema });
export const organizationSchema = z.object({ id: idSchema, name: z.string() });
export type Organization = z.infer<typeof organizationSchema>;

export const DEFAULT_RECORDING_SETTINGS = { keep: "always", graceSeconds: 3_600, maxDurationSeconds: null } as const;
/** What applies to jobs that say nothing else, by themselves or by their runner. */
export const recordingSettingsSchema = z.strictObject({
	keep: keepSchema,
	/** With keep `failed`: how long a recording stays after its outcome became `passed`. */
	graceSeconds: z
		.int({ error: "Use a whole number of seconds, such as 3600." })
		.min(0, { error: "Use 0 or more seconds." })
		.max(2_592_000, { error: "Use at most 2592000 seconds (30 days)." }),
	maxDurationSeconds: maxDurationSchema.nullable(),
});
export type RecordingSettings = z.infer<typeof recordingSettingsSchema>;

export const DEFAULT_RETENTION = { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null } as const;
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
});
export type RetentionPolicy = z.infer<typeof retentionBodySchema>;
export const retentionSchema = retentionBodySchema.extend({
	storedBytes: z.int(),
	storedRecordings: z.int(),
	diskPercent: z.number(),
	/**
	 * Recordings beyond the limits of age and bytes, which are being deleted in small steps. At most 100,000 are counted.
	 */
	overdueRecordings: z.int().nonnegative(),
	/** What will be deleted next and why, oldest first, at most ten. */
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
