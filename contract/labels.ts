/** Labels, outcome and keep policy: what a recording is of, how that ended, and how long it is kept. */
import * as z from "zod";
import { onTheWire } from "./on-the-wire.ts";
import "./no-eval.ts";
import { plainText } from "./primitives.ts";
import { KEEPS, OUTCOMES } from "./recording-kinds.ts";
import { MAX_DURATION_SECONDS } from "./stop-condition.ts";

export const MAX_LABELS = 32;
export const MAX_LABEL_VALUE = 255;
/** Lower case, so that `Branch` and `branch` cannot both exist. */
export const LABEL_KEY_PATTERN = /^[a-z0-9]([a-z0-9._/-]{0,61}[a-z0-9])?$/;

const KEY =
	"Use a label key of 1 to 63 lower-case letters, digits, dots, dashes, underscores and slashes, which begins and ends with a letter or digit.";
const VALUE = `Send a label's value as a string of at most ${MAX_LABEL_VALUE} characters.`;

const keySchema = z.string().regex(LABEL_KEY_PATTERN, { error: KEY });
const valueSchema = plainText("a label's value", VALUE).max(MAX_LABEL_VALUE, { error: VALUE });

const TOO_MANY = `Send at most ${MAX_LABELS} labels.`;
const OBJECT = 'Send labels as an object of strings, such as {"build": "123"}.';
const refusal = ({ code }: z.core.$ZodRawIssue) => (code === "invalid_key" ? KEY : OBJECT);
const isFew = (labels: object): boolean => Object.keys(labels).length <= MAX_LABELS;

/** `{key: value}`, of a job or an uploaded recording. */
export const labelsSchema = z.record(keySchema, valueSchema, { error: refusal }).refine(isFew, { error: TOO_MANY });
export type Labels = z.output<typeof labelsSchema>;

/** A change of labels: each key is set, or with null removed. Others stay. */
export const labelChangesSchema = z
	.record(keySchema, valueSchema.nullable(), { error: refusal })
	.refine(isFew, { error: TOO_MANY });
export type LabelChanges = z.output<typeof labelChangesSchema>;

/** @returns the labels after the change. Nothing here checks their number. */
export function mergeLabels(labels: Labels, changes: LabelChanges): Labels {
	const merged = new Map<string, string | null>([...Object.entries(labels), ...Object.entries(changes)]);
	return Object.fromEntries([...merged].flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

/** In responses. */
export const storedLabelsSchema = z.record(z.string(), z.string());
export const outcomeSchema = z.enum(OUTCOMES, { error: `Send outcome as one of ${OUTCOMES.join(", ")}, or null.` });
export const keepSchema = z.enum(KEEPS, { error: `Send keep as one of ${KEEPS.join(", ")}.` });
export const maxDurationSchema = z
	.int({ error: "Send maxDurationSeconds as a whole number of seconds, such as 3600." })
	.min(1, { error: "Send at least 1 second." })
	.max(MAX_DURATION_SECONDS, { error: `Send at most ${MAX_DURATION_SECONDS} seconds (7 days).` });

/** The longest buffer that a runner keeps of a display. */
export const MAX_BUFFER_SECONDS = 3_600;
export const bufferSecondsSchema = z.int().positive().max(MAX_BUFFER_SECONDS);
export const preSecondsSchema = z
	.int({ error: "Send preSeconds as a whole number of seconds, such as 45." })
	.min(0, { error: "Send 0 or more seconds." })
	.max(MAX_BUFFER_SECONDS, { error: `Send at most ${MAX_BUFFER_SECONDS} seconds.` });

const PAIR = "Send label as key=value, such as build=123; repeat it for several.";
/** `?label=build=123&label=branch=main` */
export const labelParams = z.preprocess(
	(value) => (value === undefined || Array.isArray(value) ? value : [value]),
	z
		.array(z.string().regex(/=/, { error: PAIR }))
		.max(MAX_LABELS, { error: TOO_MANY })
		.transform((pairs, ctx): Labels => {
			const labels = Object.fromEntries(
				pairs.map((pair) => {
					const at = pair.indexOf("=");
					return [pair.slice(0, at), pair.slice(at + 1)];
				}),
			);
			const read = labelsSchema.safeParse(labels);
			if (read.success) return read.data;
			for (const { message } of read.error.issues) ctx.addIssue({ code: "custom", message });
			return z.NEVER;
		})
		.optional(),
);

/** The body of a `PATCH` of a job or a recording: what is left out stays as it is. @param name what names may be. */
export const changesSchema = <Name extends z.ZodType>(name: Name) =>
	z
		.strictObject({
			name: name.optional(),
			labels: labelChangesSchema.optional(),
			outcome: outcomeSchema.nullable().optional(),
			/** `always` also keeps a recording that was about to be deleted because its outcome is `passed`. */
			keep: keepSchema.optional(),
			pinned: z.boolean({ error: "Send pinned as true or false." }).optional(),
		})
		.refine((changes) => Object.keys(changes).length > 0, {
			error: "Send what to change: name, labels, outcome, keep or pinned.",
		})
		.register(onTheWire, { minProperties: 1 });
