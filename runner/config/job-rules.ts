/**
 * Settings in the runner's environment for the jobs it takes: TAPEDECK_LABELS, TAPEDECK_KEEP, TAPEDECK_MAX_DURATION.
 */
import { type Labels, labelsSchema } from "@tapedeck/contract/labels.ts";
import { KEEPS, type Keep } from "@tapedeck/contract/recording-kinds.ts";
import { MAX_DURATION_SECONDS } from "@tapedeck/contract/stop-condition.ts";
import * as z from "zod";

/** Sent to the dashboard at every sign-in. */
export interface JobRules {
	labels: Labels;
	keep?: Keep;
	maxDurationSeconds?: number;
}

const EXAMPLE = "Use key=value pairs separated by commas, such as pool=linux,build=123.";
const LONGEST = `Use a whole number of seconds from 1 to ${MAX_DURATION_SECONDS}.`;

/** The settings by their flags. */
export const jobRulesShape = {
	labels: z
		.string()
		.default("")
		.transform((text, ctx): Labels => {
			const pairs = text.split(",").flatMap((pair) => (pair.trim() === "" ? [] : [pair]));
			const entries = pairs.map((pair) => {
				const at = pair.indexOf("=");
				return at < 0 ? null : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
			});
			if (entries.includes(null)) {
				ctx.addIssue({ code: "custom", message: EXAMPLE });
				return z.NEVER;
			}
			const read = labelsSchema.safeParse(Object.fromEntries(entries as string[][]));
			if (read.success) return read.data;
			for (const { message, path, code } of read.error.issues) {
				const shown =
					code === "invalid_key" ? "Label keys have 1 to 63 lower-case letters, digits or . _ / -" : message;
				ctx.addIssue({ code: "custom", message: `${path.join(".")}: ${shown}` });
			}
			return z.NEVER;
		}),
	keep: z.enum(KEEPS, { error: `Use one of ${KEEPS.join(", ")}.` }).optional(),
	"max-duration": z
		.string()
		.trim()
		.regex(/^\d{1,6}$/, { error: LONGEST })
		.transform(Number)
		.refine((seconds) => seconds >= 1 && seconds <= MAX_DURATION_SECONDS, { error: LONGEST })
		.optional(),
};

export const jobRulesOf = (settings: { labels: Labels; keep?: Keep; "max-duration"?: number }): JobRules => ({
	labels: settings.labels,
	...(settings.keep === undefined ? {} : { keep: settings.keep }),
	...(settings["max-duration"] === undefined ? {} : { maxDurationSeconds: settings["max-duration"] }),
});
