/** The one union that the API, the form, the runner and the database mapping share (spec 2.2). */
import * as z from "zod";
import "./no-eval.ts";
import { PLAIN_TEXT } from "./plain-text.ts";

export const MAX_DURATION_SECONDS = 604_800;
export const MAX_FIRST_SESSION_TIMEOUT_SECONDS = 86_400;

/** Names of the stop conditions, in the order in which people meet them. */
export const STOP_CONDITIONS = ["duration", "interrupt", "selenium_idle"] as const;
export type StopCondition = (typeof STOP_CONDITIONS)[number];

export const durationConfigSchema = z.strictObject({
	durationSeconds: z
		.int({ error: "Send a whole number of seconds, such as 30." })
		.min(1, { error: "Send at least 1 second." })
		.max(MAX_DURATION_SECONDS, {
			error: `Send at most ${MAX_DURATION_SECONDS} seconds (7 days).`,
		}),
});

export const interruptConfigSchema = z.strictObject({});

/** Why a string is no usable grid URL, as one sentence, or null when it is one. */
export function gridUrlFault(value: string): string | null {
	// URL drops tabs and line breaks instead of refusing them.
	if (/\s/.test(value) || !PLAIN_TEXT.test(value)) return "Send a URL without spaces and control characters.";
	if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(value) || !URL.canParse(value))
		return "Send an absolute URL, such as http://selenium:4444.";
	const url = new URL(value);
	if (url.protocol !== "http:" && url.protocol !== "https:") {
		return "Send a URL that begins with http:// or https://.";
	}
	// URL drops empty credentials ("http://@host"), so the raw authority is looked at as well.
	const authority = value.slice(value.indexOf("//") + 2).split(/[/?#\\]/)[0] ?? "";
	if (url.username !== "" || url.password !== "" || authority.includes("@")) {
		return "Leave the credentials out of the URL and send them as gridUsername and gridPassword.";
	}
	if (url.search !== "" || url.hash !== "") {
		return "Leave out everything from ? or # on; the status path is appended to this URL.";
	}
	return null;
}

/**
 * The grid's base URL: a trailing `/` and a trailing `/wd/hub` are stripped,
 * because `/wd/hub/status` is appended by whoever polls (spec 4.3).
 */
export function normalizeGridUrl(value: string): string {
	return value
		.trim()
		.replace(/\/+$/, "")
		.replace(/\/wd\/hub$/, "")
		.replace(/\/+$/, "");
}

const gridUrlSchema = z
	.string({ error: "Send the grid's URL as a string, such as http://selenium:4444." })
	.trim()
	.max(2_000, { error: "Send a URL of at most 2,000 characters." })
	.superRefine((value, ctx) => {
		const fault = gridUrlFault(value);
		if (fault !== null) ctx.addIssue({ code: "custom", message: fault });
	});

const credentialSchema = (name: string) =>
	z
		.string({ error: `Send ${name} as a string, or leave it out.` })
		.min(1, { error: `Send a ${name} that is not empty, or leave it out.` })
		.max(500, { error: `Send a ${name} of at most 500 characters.` })
		.regex(PLAIN_TEXT, { error: `Send a ${name} without control characters (RFC 7617).` });

export const seleniumIdleConfigSchema = z
	.strictObject({
		gridUrl: gridUrlSchema,
		gridUsername: credentialSchema("gridUsername")
			.regex(/^[^:]*$/, { error: "Send a gridUsername without a colon (RFC 7617)." })
			.optional(),
		gridPassword: credentialSchema("gridPassword").optional(),
		firstSessionTimeoutSeconds: z
			.int({ error: "Send a whole number of seconds, such as 60." })
			.min(0, { error: "Send 0 or more seconds." })
			.max(MAX_FIRST_SESSION_TIMEOUT_SECONDS, {
				error: `Send at most ${MAX_FIRST_SESSION_TIMEOUT_SECONDS} seconds (1 day).`,
			})
			.optional(),
	})
	.refine((config) => config.gridPassword === undefined || config.gridUsername !== undefined, {
		path: ["gridUsername"],
		error: "Send gridUsername as well: a gridPassword needs its user name.",
		// Judged even when other fields do not fit: all faults are told at once.
		when: ({ value }) => typeof value === "object" && value !== null,
	});

export type DurationConfig = z.infer<typeof durationConfigSchema>;
export type InterruptConfig = z.infer<typeof interruptConfigSchema>;
export type SeleniumIdleConfig = z.infer<typeof seleniumIdleConfigSchema>;

/** A stop condition with its configuration, secrets included. */
export type StopRule =
	| { stopCondition: "duration"; stopConditionConfig: DurationConfig }
	| { stopCondition: "interrupt"; stopConditionConfig: InterruptConfig }
	| { stopCondition: "selenium_idle"; stopConditionConfig: SeleniumIdleConfig };

/** The same as answers carry it: without the write-only `gridPassword`. */
export const publicStopRuleSchema = z.discriminatedUnion("stopCondition", [
	z.object({ stopCondition: z.literal("duration"), stopConditionConfig: durationConfigSchema }),
	z.object({ stopCondition: z.literal("interrupt"), stopConditionConfig: interruptConfigSchema }),
	z.object({
		stopCondition: z.literal("selenium_idle"),
		stopConditionConfig: z.strictObject({
			gridUrl: z.string(),
			gridUsername: z.string().optional(),
			firstSessionTimeoutSeconds: z.int().optional(),
		}),
	}),
]);
export type PublicStopRule = z.infer<typeof publicStopRuleSchema>;
