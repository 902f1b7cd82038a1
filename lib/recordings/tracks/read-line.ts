/** One line of a track: as it is sent, and as it is stored. */
import { cutToBytes, sanitizeLog } from "@tapedeck/contract/plain-text.ts";
import { MAX_TRACK_LINE_BYTES, TRACK_LEVELS, type TrackLevel } from "@tapedeck/contract/track.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "#lib/core/json-depth.ts";
import type { SplitLine } from "./split-lines.ts";

/** A line of a track. */
export interface StoredLine {
	/** Milliseconds since 1970. */
	at: number;
	text: string;
	level: TrackLevel | null;
	data: Record<string, unknown> | null;
}

const CUT = " … (cut: longer than 16 KiB)";
const DATA_LEFT_OUT = " … (data left out: the line is longer than 16 KiB)";
const NOTE_BYTES = 64;

/** RFC 3339, as precise as it comes. */
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Names of levels in other programs. */
const LEVELS: Readonly<Record<string, TrackLevel>> = {
	...Object.fromEntries(TRACK_LEVELS.map((level) => [level, level])),
	trace: "debug",
	verbose: "debug",
	log: "info",
	notice: "info",
	warning: "warn",
	err: "error",
	severe: "error",
	critical: "error",
	fatal: "error",
};

/** Reference for a sender's times. */
interface Times {
	/** When the first frame was captured; null before that. */
	startedAt: number | null;
	/** No line is later: what says so comes from a clock that is ahead. */
	latest: number;
	/** Time by which the sender's clock is behind ours. */
	shiftMs: number;
}

/** @returns the line; a string with what to send instead; null for a line with nothing in it. */
export function readNewLine({ bytes }: SplitLine, times: Times): StoredLine | string | null {
	if (bytes === null) return "Send lines of at most 256 KiB in addition to their text.";
	// Invalid UTF-8 becomes U+FFFD.
	const json = bytes.toString("utf8").trim();
	if (json === "") return null;
	let line: unknown;
	try {
		line = JSON.parse(json);
	} catch {
		return 'Send each line as a JSON object, such as {"at": "2026-11-21T01:12:00.000Z", "text": "…"}.';
	}
	if (!isObject(line)) return "Send each line as a JSON object.";
	const { text, level, data } = line;
	if (typeof text !== "string") return "Send text as a string.";
	if (data != null && !isObject(data)) return "Send data as an object, or leave it out.";
	if (isTooDeep(data)) return `Send data with at most ${MAX_JSON_DEPTH} levels.`;
	const at = timeOf(line, times);
	if (typeof at === "string") return at;
	return {
		at: Math.min(Math.round(at), times.latest),
		level: typeof level === "string" ? (LEVELS[level.toLowerCase()] ?? null) : null,
		...fitting(sanitizeLog(text), data == null ? null : sanitizeData(data)),
	};
}

function timeOf({ at, offsetMs }: Record<string, unknown>, { startedAt, shiftMs }: Times): number | string {
	if (typeof at === "string" && TIME.test(at)) {
		const ms = Date.parse(at);
		// Neither a leap second nor the year 0 is the time of a log.
		if (ms > 0) return ms + shiftMs;
	}
	if (at != null) return "Send at as an RFC 3339 time, such as 2026-11-21T01:12:00.000Z.";
	if (typeof offsetMs !== "number" || Math.abs(offsetMs) > 1e12)
		return "Send at as an RFC 3339 time, or offsetMs as milliseconds from the first frame.";
	if (startedAt === null) return "Send at instead of offsetMs: the recording has not begun.";
	return startedAt + offsetMs;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const sanitizeData = (data: Record<string, unknown>): Record<string, unknown> =>
	JSON.parse(JSON.stringify(data), (_, value) => (typeof value === "string" ? sanitizeLog(value) : value));

/** Cut to MAX_TRACK_LINE_BYTES. Says so at its end. */
function fitting(text: string, data: StoredLine["data"]): Pick<StoredLine, "text" | "data"> {
	const textBytes = Buffer.byteLength(text);
	if (textBytes > MAX_TRACK_LINE_BYTES) {
		return { text: `${cutToBytes(text, MAX_TRACK_LINE_BYTES - NOTE_BYTES)}${CUT}`, data: null };
	}
	if (data === null || textBytes + Buffer.byteLength(JSON.stringify(data)) <= MAX_TRACK_LINE_BYTES)
		return { text, data };
	return { text: `${cutToBytes(text, MAX_TRACK_LINE_BYTES - NOTE_BYTES)}${DATA_LEFT_OUT}`, data: null };
}

/** A line as NDJSON: it could be sent again. */
export function writeLine({ at, text, level, data }: StoredLine): string {
	const time = new Date(at).toISOString();
	return `${JSON.stringify({ at: time, text, level: level ?? undefined, data: data ?? undefined })}\n`;
}

/** The lines of a block. */
export function parseLines(ndjson: string): StoredLine[] {
	if (ndjson === "") return [];
	return ndjson
		.slice(0, -1)
		.split("\n")
		.map((json) => {
			const { at, text, level = null, data = null } = JSON.parse(json);
			return { at: Date.parse(at), text, level, data };
		});
}
