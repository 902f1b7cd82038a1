/** Digests: what happened in a recording, in so few words and pictures that a chat or an agent takes them. */
import * as z from "zod";
import { intParam } from "./query-params.ts";

/** About what a token of a language model is, in bytes of UTF-8. */
export const BYTES_PER_TOKEN = 4;
export const MAX_DIGEST_FRAMES = 25;

export const digestQuerySchema = z.object({
	maxTokens: intParam("maxTokens", 200, 20_000)
		.describe(`The Markdown has at most ${BYTES_PER_TOKEN} times as many bytes.`)
		.default(2_000),
	frames: intParam("frames", 1, MAX_DIGEST_FRAMES)
		.describe("The maximum number of frames that it names: those of failures, and those that changed most.")
		.default(9),
	part: z
		.enum(["text", "sheet"], { error: "Send part as text or sheet, or leave it out for text." })
		.describe("sheet: the frames as one JPEG, in rows, at most 1,500 × 1,500 pixels and 600 kB.")
		.default("text"),
});
export type DigestQuery = z.output<typeof digestQuerySchema>;

/** The answer to `Accept: application/json`. */
export interface Digest {
	markdown: string;
	/** Address of one picture with all frames, from left to right and from top to bottom. */
	sheetUrl: string;
	frames: { at: number; why: string; url: string }[];
}
