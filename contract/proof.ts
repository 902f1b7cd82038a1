/** Proofs: a short cut of a whole recording, and a signed receipt that says what it was made of. */
import * as z from "zod";
import { CLIP_FORMATS, DEFAULT_CLIP_BYTES } from "./clip.ts";
import { intParam } from "./query-params.ts";

export const DEFAULT_CUT_SECONDS = 60;

export const proofQuerySchema = z.object({
	maxSeconds: intParam("maxSeconds", 10, 120)
		.describe("The length that the cut never exceeds: what changes is shown faster if need be.")
		.default(DEFAULT_CUT_SECONDS),
	maxBytes: intParam("maxBytes", 200_000, 100_000_000)
		.describe("The size that the cut never exceeds.")
		.default(DEFAULT_CLIP_BYTES),
	format: z
		.enum(CLIP_FORMATS, { error: `Send format as ${CLIP_FORMATS.join(" or ")}, or leave it out for mp4.` })
		.describe("A GIF plays where no video does. Its pictures are smaller, and it has no chapters.")
		.default("mp4"),
});
export type ProofQuery = z.output<typeof proofQuerySchema>;
