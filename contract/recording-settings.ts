/** Defaults of an organization's jobs. */
import * as z from "zod";
import { commitUrlFault, MAX_COMMIT_URL_TEMPLATE } from "./commit-url-template.ts";
import { keepSchema, maxDurationSchema } from "./labels.ts";
import { plainText } from "./primitives.ts";
import { videoOptionsSchema } from "./video-options.ts";

export const DEFAULT_RECORDING_SETTINGS = {
	keep: "always",
	graceSeconds: 3_600,
	maxDurationSeconds: null,
	commitUrlTemplate: null,
	video: {},
} as const;
/** Defaults of jobs, for options that neither the job nor its runner sets. */
export const recordingSettingsBodySchema = z.strictObject({
	keep: keepSchema,
	/** Grace period with keep `failed`: a recording stays this long after its outcome became `passed`. */
	graceSeconds: z
		.int({ error: "Use a whole number of seconds, such as 3600." })
		.min(0, { error: "Use 0 or more seconds." })
		.max(2_592_000, { error: "Use at most 2592000 seconds (30 days)." }),
	maxDurationSeconds: maxDurationSchema.nullable(),
	/**
	 * The address of a commit, for hosts other than GitHub, GitLab and Bitbucket, such as
	 * `https://git.example.com/{repository}/commit/{commit}`: labels replace `{commit}`, `{branch}` and `{repository}`. Null for
	 * none. If omitted, it does not change.
	 */
	commitUrlTemplate: plainText("commitUrlTemplate", "Send commitUrlTemplate as text, or null.")
		.max(MAX_COMMIT_URL_TEMPLATE, { error: `Use at most ${MAX_COMMIT_URL_TEMPLATE} characters.` })
		.superRefine((template, ctx) => {
			const message = commitUrlFault(template);
			if (message !== null) ctx.addIssue({ code: "custom", message });
		})
		.nullable()
		.optional(),
	/** Counts before what runners say. If omitted, it does not change; {} leaves everything to them. */
	video: videoOptionsSchema.optional(),
});
export type RecordingSettingsBody = z.output<typeof recordingSettingsBodySchema>;
export const recordingSettingsSchema = recordingSettingsBodySchema.extend({ commitUrlTemplate: z.string().nullable() });
export type RecordingSettings = z.infer<typeof recordingSettingsSchema>;
