/** Sessions of a browser-automation grid, as far as recordings hold them. */
import * as z from "zod";
import { labelsSchema, outcomeSchema } from "./labels.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { NOT_PLAIN, sanitizeMessage, sanitizeName } from "./plain-text.ts";
import { idSchema, timestampSchema } from "./primitives.ts";
import { intParam } from "./query-params.ts";

/** Begins the id of a session that was too short for its own id to be seen: its node, its slot and its beginning follow. */
export const SHORT_SESSION = "short:";

/** The most sessions of one recording that are kept, and returned with it. */
export const MAX_SESSIONS = 500;

/** A session during a recording. */
export const recordingSessionSchema = z.object({
	/** The grid's id of the session. */
	sessionId: z.string(),
	/** The client's name for the session: `tapedeck:name`, else `se:name`. */
	name: z.string().nullable(),
	startedAt: timestampSchema,
	/** Null while it runs, and if it outlived the recording. */
	endedAt: timestampSchema.nullable(),
	/** Seconds from the first frame of the recording. */
	offsetSeconds: z.number(),
});
export type RecordingSession = z.infer<typeof recordingSessionSchema>;

export const SESSION_STATES = ["recording", "recorded", "not_recorded"] as const;

/** Why a session was not recorded. */
export const MISS_REASONS = [
	"no_runner",
	"runner_offline",
	"not_wanted",
	"node_ambiguous",
	"display_unavailable",
	"storage_full",
	"recording_failed",
] as const;
export type MissReason = (typeof MISS_REASONS)[number];

/** A session, and where it was recorded. */
export const sessionSchema = recordingSessionSchema.extend({
	/** Seconds from the first frame of the recording; null without one. */
	offsetSeconds: z.number().nullable(),
	/** Browser, version and platform, and what the client set under `se:` and `tapedeck:`. */
	capabilities: z.record(z.string(), z.string()),
	/** `recording` while the session and its recording go on. */
	state: z.enum(SESSION_STATES),
	/** Why it was not recorded: see `GET /v1/coverage`. */
	reason: z.enum(MISS_REASONS).nullable(),
	jobId: idSchema.nullable(),
	/** Null until its first bytes have arrived, and once it was deleted. */
	recordingId: idSchema.nullable(),
	/** The page that plays the recording from this session on, or from shortly before its failure; null like recordingId. */
	url: z.string().nullable(),
	/** The outcome reported by the client; null without a report. */
	outcome: outcomeSchema.nullable(),
	/** For example the error of a test that failed. */
	message: z.string().nullable(),
});
export type Session = z.infer<typeof sessionSchema>;

export const changeSessionBodySchema = z.strictObject({
	/** Null removes it. */
	outcome: outcomeSchema.nullable(),
	/** Text of several lines. Left out, there is none. */
	message: z
		.string({ error: "Send message as text, or leave it out." })
		.transform((text) => sanitizeMessage(text))
		.nullish(),
});
export type ChangeSession = z.output<typeof changeSessionBodySchema>;

/** The most capabilities of a session that are kept, and their lengths in characters. */
export const MAX_CAPABILITIES = 40;
export const MAX_CAPABILITY_KEY = 100;
export const MAX_CAPABILITY_VALUE = 255;
export const MAX_SESSION_NAME = 200;

/** Text of a grid, without control characters and lone surrogates. */
const oneLine = z.string().transform((text) => text.replace(NOT_PLAIN, "\ufffd"));
const sessionName = z
	.string()
	.max(MAX_SESSION_NAME)
	.transform((text) => sanitizeName(text, MAX_SESSION_NAME) || null)
	.nullable()
	.catch(null);

const isShort = (value: unknown, max: number): value is string => typeof value === "string" && value.length <= max;
/** Sessions as a runner or its grid sends them. Keeps the first ones of too many, and leaves out all but short texts. */
const capabilities = z
	.record(z.string(), z.unknown())
	.catch({})
	.transform((sent): Record<string, string> => {
		const kept: [string, string][] = [];
		for (const key in sent) {
			if (kept.length === MAX_CAPABILITIES) break;
			const value = sent[key];
			if (!isShort(key, MAX_CAPABILITY_KEY) || !isShort(value, MAX_CAPABILITY_VALUE)) continue;
			kept.push([key.replace(NOT_PLAIN, "\ufffd"), value.replace(NOT_PLAIN, "\ufffd")]);
		}
		return Object.fromEntries(kept);
	});

/** A session as a runner reports it with the job that records it. */
export const reportedSessionSchema = z.object({
	sessionId: oneLine.pipe(z.string().min(1).max(200)),
	name: sessionName,
	capabilities,
	/** Labels that the client wants for its recording: `tapedeck:build` and `tapedeck:labels`. */
	labels: labelsSchema.catch({}),
});
export type ReportedSession = z.infer<typeof reportedSessionSchema>;

/** A session that a runner saw and nobody recorded. */
export const missedSessionSchema = z.object({
	sessionId: z.string(),
	name: z.string().nullable(),
	/** URI or id of its node; null where the grid does not tell. */
	node: z.string().nullable(),
	startedAt: timestampSchema,
	endedAt: timestampSchema.nullable(),
	reason: z.enum(MISS_REASONS),
	/** The runner that saw it. */
	runnerId: idSchema,
});
export type MissedSession = z.infer<typeof missedSessionSchema>;

export const coverageSchema = pageOf(missedSessionSchema).extend({
	/** Sessions that began in the period: all, those with a recording, and those without. */
	seen: z.int(),
	recorded: z.int(),
	missed: z.int(),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** Sessions are kept for so long. */
export const SESSION_DAYS = 30;
export const coverageQuerySchema = z.object({
	days: intParam("days", 1, SESSION_DAYS).default(7),
	limit: limitParam,
	cursor: cursorParam,
});
export type CoverageQuery = z.output<typeof coverageQuerySchema>;

/** A session as a runner reports it for the coverage, whether it recorded it or not. */
export const seenSessionSchema = z.object({
	sessionId: oneLine.pipe(z.string().min(1).max(200)),
	name: sessionName,
	node: oneLine.pipe(z.string().max(500)).nullable().catch(null),
	startedAt: timestampSchema,
	endedAt: timestampSchema.nullable().catch(null),
	/** Why it was not recorded, if this runner was to record it; null if it is another's. */
	reason: z.enum(MISS_REASONS).nullable().catch("recording_failed"),
});
export type SeenSession = z.infer<typeof seenSessionSchema>;
