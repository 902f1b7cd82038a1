/** `GET /v1/labels`: the labels in use, for completion. */
import * as z from "zod";
import "./no-eval.ts";
import { LABEL_KEY_PATTERN, MAX_LABEL_VALUE } from "./labels.ts";
import { plainText } from "./primitives.ts";

const PREFIX = `Send prefix as at most ${MAX_LABEL_VALUE} characters.`;
export const listLabelsQuerySchema = z.object({
	key: z
		.string()
		.regex(LABEL_KEY_PATTERN, { error: "Send key as a label's key, or leave it out to list the keys." })
		.optional(),
	prefix: plainText("prefix").max(MAX_LABEL_VALUE, { error: PREFIX }).default(""),
});
/** At most ten keys, or values of the key, in alphabetical order. */
export const labelListSchema = z.object({ data: z.array(z.string()), nextCursor: z.null() });
