/** Tracks: timed lines beside a recording, such as the log of the command that it shows. */
import * as z from "zod";
import { onTheWire } from "./on-the-wire.ts";
import { cursorParam } from "./page.ts";
import { plainText, timestampSchema } from "./primitives.ts";
import { intParam, offsetParam } from "./query-params.ts";
import { ORDERS } from "./recording-kinds.ts";

/** The kind of a track's lines, which decides how they are shown. */
export const TRACK_KINDS = ["log", "console", "network", "load", "windows"] as const;
export type TrackKind = (typeof TRACK_KINDS)[number];
/** From the least to the most severe. */
export const TRACK_LEVELS = ["debug", "info", "warn", "error"] as const;
export type TrackLevel = (typeof TRACK_LEVELS)[number];

/** Maximum number of tracks of a job. */
export const MAX_TRACKS = 16;
/** Maximum size of a track as it is stored: lines of JSON. */
export const MAX_TRACK_BYTES = 64 * 1024 * 1024;
/** The text of a line with its data, in UTF-8. */
export const MAX_TRACK_LINE_BYTES = 16 * 1024;
/** The media type of a track: a JSON object on each line. */
export const NDJSON = "application/x-ndjson";

/** In a path: anything else is not found. */
export const trackNameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);

/** A track's name begins with its kind, such as `console.chrome`. All others are logs. */
export const kindOfTrack = (name: string): TrackKind =>
	TRACK_KINDS.find((kind) => name === kind || (name.startsWith(kind) && /[._-]/.test(name.charAt(kind.length)))) ??
	"log";

export const trackSchema = z.object({
	name: z.string(),
	kind: z.enum(TRACK_KINDS),
	lines: z.int().nonnegative(),
	bytes: z.int().nonnegative().describe("The size of its lines as NDJSON: 64 MiB at most."),
	received: z
		.int()
		.nonnegative()
		.describe("Bytes of the sender's stream that are stored: where the next call continues, as `from`."),
	firstAt: timestampSchema.nullable().describe("The time of the earliest line."),
	lastAt: timestampSchema.nullable().describe("The time of the latest line."),
});
export type Track = z.infer<typeof trackSchema>;
export const trackListSchema = z.object({ data: z.array(trackSchema) });
export type TrackList = z.infer<typeof trackListSchema>;

const FROM = "Send from as the number of bytes of your stream that came before this body, or leave it out to append.";
export const appendTrackQuerySchema = z.object({
	from: z
		.string({ error: FROM })
		.regex(/^\d{1,15}$/, { error: FROM })
		.transform(Number)
		.register(onTheWire, { type: "integer", minimum: 0, maximum: 999_999_999_999_999 })
		.describe(
			"Number of bytes of the sender's stream before this body. Bytes that are already stored are skipped, so that a call can be repeated; after a gap, the call is refused with 409. Without it, the body is appended.",
		)
		.optional(),
});

const SHIFT = "Send clockShiftMs as milliseconds by which your clock is behind the dashboard's.";
/** A runner has measured how far its clock is from the dashboard's: its lines have times of its own. */
export const sendTrackQuerySchema = appendTrackQuerySchema.extend({
	clockShiftMs: z
		.string({ error: SHIFT })
		.regex(/^-?\d{1,15}$/, { error: SHIFT })
		.transform(Number)
		.optional(),
});

/** Faults of lines that one answer lists. */
export const MAX_LINE_FAULTS = 20;
/** A line that was not stored. */
export const trackLineFaultSchema = z.object({
	line: z.int().positive().describe("Its number in the body."),
	message: z.string().describe("The value to send instead."),
});
export const appendedTrackSchema = trackSchema.extend({
	refused: z.int().nonnegative().describe("The number of lines of the body that were not stored."),
	faults: z.array(trackLineFaultSchema).describe(`The first ${MAX_LINE_FAULTS} of them.`),
});
export type AppendedTrack = z.infer<typeof appendedTrackSchema>;

export const trackLineSchema = z.object({
	line: z.int().positive().describe("Its number in the order of arrival, which identifies it."),
	at: timestampSchema,
	offsetSeconds: z
		.number()
		.nullable()
		.describe("Seconds from the first frame, negative before it; null until it is captured."),
	text: z.string(),
	level: z.enum(TRACK_LEVELS).nullable(),
	data: z.record(z.string(), z.unknown()).nullable(),
});
export type TrackLine = z.infer<typeof trackLineSchema>;
export const trackLinePageSchema = z.object({ data: z.array(trackLineSchema), nextCursor: z.string().nullable() });

const MAX_TRACK_PAGE = 1_000;
export const readTrackQuerySchema = z.object({
	/** Seconds from the first frame. */
	from: offsetParam("from").optional(),
	to: offsetParam("to").optional(),
	q: plainText("q")
		.max(200, { error: "Send q with at most 200 characters." })
		.describe("Text that the line contains, in upper or lower case.")
		.optional(),
	level: z
		.enum(TRACK_LEVELS, { error: `Send level as one of ${TRACK_LEVELS.join(", ")}.` })
		.describe("Only lines of this level, and of those that are more severe.")
		.optional(),
	order: z.enum(ORDERS, { error: "Send order as asc or desc, or leave it out for asc." }).default("asc"),
	limit: intParam("limit", 1, MAX_TRACK_PAGE).default(200),
	cursor: cursorParam,
});
export type ReadTrackQuery = z.output<typeof readTrackQuerySchema>;
