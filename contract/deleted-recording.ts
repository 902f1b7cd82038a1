/** Recordings that were deleted: in the trash, where they can be restored, or without their video. */
import * as z from "zod";
import { MAX_LABEL_VALUE } from "./labels.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, plainText, timestampSchema } from "./primitives.ts";
import { instantParam, repeatable } from "./query-params.ts";
import { recordingSchema } from "./recording.ts";
import { DELETION_REASONS } from "./recording-kinds.ts";

/** When and why a recording was deleted. */
export const deletionSchema = z.object({
	deletedAt: timestampSchema,
	/** The name of who deleted it; null for retention. */
	deletedBy: z.string().nullable(),
	reason: z.enum(DELETION_REASONS),
	/** Until when it can be restored, unless the disk gets full before; null if its video is gone. */
	restorableUntil: timestampSchema.nullable(),
});
export type Deletion = z.infer<typeof deletionSchema>;

/** The deleted recording of a job or a failure. */
export const deletedOfJobSchema = deletionSchema.extend({ id: idSchema });

const { id, organizationId, jobId, runnerId, name, state, durationSeconds, createdAt, labels, outcome, verdict } =
	recordingSchema.shape;
export const deletedRecordingSchema = deletionSchema.extend({
	id,
	organizationId,
	jobId,
	runnerId,
	name,
	state,
	durationSeconds,
	/** Bytes that it still uses on the disk: 0 without its video. */
	bytes: z.int(),
	createdAt,
	labels,
	outcome,
	verdict,
});
export type DeletedRecording = z.infer<typeof deletedRecordingSchema>;
export const deletedRecordingPageSchema = pageOf(deletedRecordingSchema);

const reasonSchema = z.enum(DELETION_REASONS, { error: `Send reason as one of ${DELETION_REASONS.join(", ")}.` });
const filters = {
	deletedAfter: instantParam("deletedAfter"),
	deletedBefore: instantParam("deletedBefore"),
	/** Only those with this label `build`. */
	build: plainText("build").min(1).max(MAX_LABEL_VALUE).optional(),
};

export const listDeletedQuerySchema = z.object({
	restorable: z.enum(["1"], { error: "Send restorable as 1, or leave it out for all." }).optional(),
	...filters,
	/** Only those that were deleted for one of these reasons. */
	reason: repeatable(reasonSchema),
	limit: limitParam,
	cursor: cursorParam,
});
export type ListDeletedQuery = z.output<typeof listDeletedQuerySchema>;

/** The body of `POST /v1/deleted-recordings/restore`: the recordings with these filters, or all in the trash. */
export const restoreDeletedBodySchema = z
	.strictObject({
		...filters,
		reason: z.array(reasonSchema).min(1).max(DELETION_REASONS.length).optional(),
		all: z.literal(true).optional(),
	})
	.refine(({ all, ...given }) => (all === undefined) !== Object.values(given).every((value) => value === undefined), {
		error: "Send either filters (deletedAfter, deletedBefore, build, reason) or all.",
	});
export type RestoreDeleted = z.output<typeof restoreDeletedBodySchema>;
export const restoredSchema = z.object({
	restored: z.int(),
	/** Until when retention spares them. */
	keptUntil: timestampSchema,
	/** Whether the trash has more that match: send the same again. */
	hasMore: z.boolean(),
});
export type Restored = z.infer<typeof restoredSchema>;
