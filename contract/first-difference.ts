/** The time at which two recordings begin to differ. */
import * as z from "zod";
import { idParam, momentParam, offsetParam } from "./query-params.ts";

/** At most so much of a recording is compared in one call. */
export const MAX_COMPARED_SECONDS = 600;

export const firstDifferenceQuerySchema = z.object({
	with: idParam("with").describe("The id of the other recording."),
	offset: offsetParam("offset")
		.describe("Seconds by which the other recording shows the same later; 0 if it is left out.")
		.optional(),
	from: momentParam("from").describe(
		"Where the comparison begins, in seconds of this recording; its beginning if it is left out.",
	),
	to: momentParam("to").describe(
		`Where it ends, at most ${MAX_COMPARED_SECONDS} s later; the end of the shorter recording if it is left out.`,
	),
});
export type FirstDifferenceQuery = z.output<typeof firstDifferenceQuerySchema>;

export const firstDifferenceSchema = z.object({
	/** The first difference, in seconds of this recording, at most a tenth of a second late; null if there is none. */
	at: z.number().nullable(),
	/** End of the compared part, in seconds of this recording. */
	comparedTo: z.number(),
});
export type FirstDifference = z.infer<typeof firstDifferenceSchema>;
