/** Clips: a stretch of a recording as a small file of its own. */
import * as z from "zod";
import { intParam, momentParam } from "./query-params.ts";
import type { TestResult } from "./test-result.ts";
import { MAX_CLIP_SECONDS } from "./video-kinds.ts";

export const CLIP_FORMATS = ["mp4", "gif"] as const;
export type ClipFormat = (typeof CLIP_FORMATS)[number];
export const CLIP_TYPES = { mp4: "video/mp4", gif: "image/gif" } as const satisfies Record<ClipFormat, string>;

/** A GIF of a minute has many times the bytes of its video. */
export const MAX_GIF_SECONDS = 60;
/** Seconds of the clip of a failure. */
export const CLIP_AROUND_FAILURE = { before: 20, after: 5 } as const;
/** Maximum size that GitHub accepts. */
export const DEFAULT_CLIP_BYTES = 10_000_000;

/** The header with the seconds of the recording that a clip shows: `118.000-130.500`. */
export const CLIP_HEADER = "Tapedeck-Clip";

export const clipQuerySchema = z.object({
	from: momentParam("from").describe(
		"Seconds from the beginning. Without from and to, the clip is of 20 s before the first failure to 5 s after it, or of the last 25 s.",
	),
	to: momentParam("to").describe(`At most ${MAX_CLIP_SECONDS} s after from, or ${MAX_GIF_SECONDS} s for a GIF.`),
	maxBytes: intParam("maxBytes", 50_000, 100_000_000)
		.describe("The size that the clip never exceeds.")
		.default(DEFAULT_CLIP_BYTES),
	format: z.enum(CLIP_FORMATS, { error: `Send format as ${CLIP_FORMATS.join(" or ")}.` }).default("mp4"),
	size: intParam("size", 64, 3_840).describe("The width in pixels; a narrower video keeps its own.").optional(),
	exact: z
		.enum(["0", "1"], { error: "Send exact as 1, or leave it out." })
		.describe(
			"1: the clip begins with the frame at from, and is encoded for that. Otherwise it may begin a little earlier.",
		)
		.optional(),
	against: z
		.enum(["last-passed"], { error: "Send against as last-passed, or leave it out." })
		.describe(
			"last-passed: beside it, on the right, the last recording of the same test that passed, aligned at the step before the failure.",
		)
		.optional(),
});
export type ClipQuery = z.output<typeof clipQuerySchema>;

type Filmed = Pick<TestResult, "recordingId" | "failureOffsetSeconds">;

/** The clip of its failure; null without a video that shows it, and if its moment is not known exactly. */
export function clipPath(result: Filmed & Pick<TestResult, "isApproximate">): string | null {
	const clip = result.isApproximate ? null : clipOf(result);
	return clip === null ? null : `/v1/recordings/${clip.recordingId}/clip?from=${clip.from}&to=${clip.to}`;
}

/** Start and end of the clip of its failure, in seconds. */
export function clipOf({ recordingId, failureOffsetSeconds: at }: Filmed) {
	if (recordingId === null || at === null) return null;
	const { before, after } = CLIP_AROUND_FAILURE;
	return { recordingId, from: Math.max(0, at - before), to: at + after };
}
