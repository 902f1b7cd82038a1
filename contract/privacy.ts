/** Private stretches on the wire: while one lasts, the runner records black instead of its display. */
import * as z from "zod";
import { timestampSchema } from "./primitives.ts";

/** The body of `POST /v1/jobs/{id}/privacy`. */
export const changePrivacyBodySchema = z.strictObject({
	on: z.boolean({ error: "Send on as true to record black from now on, or as false to show the display again." }),
});

/** Recording states of a job's runner, as the runner has confirmed them. */
export const privacySchema = z.object({
	on: z.boolean(),
	/** The time from which on it is so; null if it is from the first frame. */
	effectiveAt: timestampSchema.nullable(),
});
export type Privacy = z.infer<typeof privacySchema>;

const videoSeconds = z.number().nonnegative();
/** A stretch in which a video is black by request, in seconds; `to` is null while it lasts, and when it lasts to the end. */
export const privateStretchSchema = z.object({ from: videoSeconds, to: videoSeconds.nullable() });
export type PrivateStretch = z.infer<typeof privateStretchSchema>;

/** Maximum number of a recording's private stretches; earlier ones are left out. */
export const MAX_PRIVATE_STRETCHES = 500;

/** The privacy that is wanted of a runner. Every change has a higher version, which a confirmation names. */
export const wantedPrivacySchema = z.object({ version: z.int().nonnegative(), on: z.boolean() });
export type WantedPrivacy = z.infer<typeof wantedPrivacySchema>;
