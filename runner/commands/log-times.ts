/** The times and levels of lines of logs, as programs usually write them: at the beginning, or as a field of JSON. */

import type { ReportedLine } from "@tapedeck/client-source/index.ts";
import { withoutColours } from "@tapedeck/contract/plain-text.ts";

type Level = NonNullable<ReportedLine["level"]>;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY_MS = 86_400_000;
/** A time of day is today's, unless that is so much later than now. */
const AHEAD_MS = 3_600_000;
const CLOCK = String.raw`(?<h>\d\d?):(?<m>\d\d):(?<s>\d\d)(?:[.,](?<f>\d{1,9}))?`;
const ZONE = String.raw`\s?(?<z>Z|UTC|GMT|[+-]\d\d:?\d\d)?`;

/** At the beginning of a line, in brackets or not. */
const FORMATS: readonly RegExp[] = [
	// 21.11.2026 01:12:00 and 21.11.2026, 01:12:00.
	`(?<d>\\d\\d?)\\.(?<mo>\\d\\d?)\\.(?<y>\\d{4}),? ${CLOCK}${ZONE}`,
	// Nov 21, 2026 1:12:00 AM, of java.util.logging.
	`(?<mo>[A-Za-z]{3}) (?<d>\\d\\d?), (?<y>\\d{4}),? ${CLOCK}(?:\\s(?<half>[AaPp])\\.?[Mm])?`,
	// Sat 2026-11-21 01:12:00 UTC, of journalctl.
	`[A-Za-z]{3} (?<y>\\d{4})-(?<mo>\\d\\d)-(?<d>\\d\\d) ${CLOCK}${ZONE}`,
	// 2026-11-21T01:12:00.123Z, 2026-11-21 01:12:00,123 +0100, and 2026/11/21 01:12:00 of nginx and Go.
	`(?<y>\\d{4})[-/](?<mo>\\d\\d)[-/](?<d>\\d\\d)[Tt ]${CLOCK}${ZONE}`,
	// 21/Nov/2026:01:12:00 +0100, of web servers, and 21-Nov-2026 01:12:00, of application servers.
	`(?<d>\\d\\d?)[/-](?<mo>[A-Za-z]{3})[/-](?<y>\\d{4})[: ]${CLOCK}${ZONE}`,
	// Sat, 21 Nov 2026 01:12:00 GMT
	`(?:[A-Za-z]{3}, )(?<d>\\d\\d?) (?<mo>[A-Za-z]{3}) (?<y>\\d{4}) ${CLOCK}${ZONE}`,
	// Sat Nov 21 01:12:00 2026, as of C's ctime, and Apache's errors with microseconds.
	`(?:[A-Za-z]{3} )(?<mo>[A-Za-z]{3}) {1,2}(?<d>\\d\\d?) ${CLOCK} (?<y>\\d{4})`,
	// Nov 21 01:12:00, of syslog.
	`(?<mo>[A-Za-z]{3}) {1,2}(?<d>\\d\\d?) ${CLOCK}`,
	// I1121 01:12:00.123456, of glog and klog.
	`(?<l>[IWEF])(?<mo>\\d\\d)(?<d>\\d\\d) ${CLOCK}`,
	// 01:12:00.123
	`${CLOCK}(?![\\d:])`,
].map((format) => new RegExp(`^[[(]?${format}`));
/** 1795223520, with a fraction or in milliseconds. */
const SINCE_1970 = /^[[(]?(1\d{9})(?:\.(\d{1,9})|(\d{3}))?(?![\d.])/;

/** `<34>1 ` and `<34>` of syslog; what docker compose and others write before the time. */
const PRIORITY = /^<(\d{1,3})>(?:\d{1,2} )?/;
const BEFORE_TIME = /^(?:[\w.-]{1,60} {0,40}\| |[[(]?[A-Z]{3,9}[\])]?:? {1,8})/;
/** `time=…` of logfmt, and `[21/Nov/2026:…]` of access logs. */
const TIME_FIELD = /(?:^|\s)(?:time|ts|t|timestamp|@timestamp|datetime|date)=["']?/i;
const ACCESS_TIME = /\[\d\d?\/[A-Za-z]{3}\/\d{4}:/;
const LEVEL =
	/\b(TRACE|DEBUG|VERBOSE|FINE|FINER|FINEST|CONFIG|VRB|DBG|INFO?|NOTICE|WARN(?:ING)?|WRN|ERR(?:OR)?|SEVERE|CRITICAL|FATAL|FTL)\b/;
const LEVEL_FIELD = /\b(?:level|lvl|severity)=["']?(\w+)/i;
const LEVELS: Readonly<Record<string, Level>> = {
	...{ trace: "debug", debug: "debug", verbose: "debug", info: "info", notice: "info", i: "info" },
	...{ warn: "warn", warning: "warn", w: "warn", e: "error", f: "error" },
	...{ err: "error", error: "error", severe: "error", critical: "error", fatal: "error" },
	// Words of java.util.logging, Serilog, MongoDB and syslog.
	...{ fine: "debug", finer: "debug", finest: "debug", config: "debug", vrb: "debug", dbg: "debug", d: "debug" },
	...{ inf: "info", information: "info", default: "info", wrn: "warn", ftl: "error", crit: "error", panic: "error" },
	...{ alert: "error", emerg: "error", emergency: "error", d1: "debug", d2: "debug", d3: "debug" },
};
/** Levels of pino and bunyan. */
const numberedLevel = (level: number): Level =>
	level >= 50 ? "error" : level >= 40 ? "warn" : level >= 30 ? "info" : "debug";
/** Severities of syslog, journald and GELF: from 0, an emergency, to 7. */
const syslogLevel = (severity: number): Level =>
	severity <= 3 ? "error" : severity === 4 ? "warn" : severity <= 6 ? "info" : "debug";
/** Severities of OpenTelemetry: from 1 to 24. */
const otelLevel = (severity: number): Level =>
	severity >= 17 ? "error" : severity >= 13 ? "warn" : severity >= 9 ? "info" : "debug";
/** The part of a line in which a level and a time are looked for. */
const BEGINNING = 200;

/** Time and level that a line contains. */
export interface LogLine {
	/** Null if it has no time: it goes with the line before. */
	at: Date | null;
	level: Level | null;
	text: string;
	data?: Record<string, unknown>;
}

/** The level that a line begins with, such as `ERROR` or `[WARN]`; null if it begins with another word. */
export function levelAtStart(line: string): Level | null {
	const word = /^\s{0,20}[[(<]?([A-Z]{3,8})\b/.exec(line)?.[1] ?? "";
	return Object.hasOwn(LEVELS, word.toLowerCase()) ? (LEVELS[word.toLowerCase()] ?? null) : null;
}

/** @param now for times without a date, or without a year. Times without a zone are local. */
export function readLogLine(line: string, now = new Date()): LogLine {
	if (line.startsWith("{")) return jsonLine(line, now) ?? { at: null, level: levelIn(line), text: line };
	const beginning = withoutColours(line.slice(0, 2 * BEGINNING)).slice(0, BEGINNING);
	const priority = PRIORITY.exec(beginning);
	const found = timeOfLine(priority === null ? beginning : beginning.slice(priority[0].length), now);
	const letter = found?.letter?.toLowerCase();
	const level = (letter && LEVELS[letter]) || levelIn(beginning);
	return {
		at: found?.at ?? null,
		level: level ?? (priority === null ? null : syslogLevel(Number(priority[1]) % 8)),
		text: line,
	};
}

/** At its beginning, behind a level or the name of a container, or in a field. */
function timeOfLine(line: string, now: Date): { at: Date; letter?: string } | null {
	const found = timeIn(line, now) ?? timeIn(line.replace(BEFORE_TIME, ""), now);
	if (found !== null) return found;
	const field = TIME_FIELD.exec(line);
	if (field !== null) return timeIn(line.slice(field.index + field[0].length), now);
	const access = ACCESS_TIME.exec(line);
	return access === null ? null : timeIn(line.slice(access.index), now);
}

function timeIn(line: string, now: Date): { at: Date; letter?: string } | null {
	const seconds = SINCE_1970.exec(line);
	if (seconds !== null) {
		const [, whole, fraction = "", thousandths] = seconds;
		return { at: new Date(Number(whole) * 1_000 + (thousandths ? Number(thousandths) : millisecondsOf(fraction))) };
	}
	for (const format of FORMATS) {
		const groups = format.exec(line)?.groups;
		const at = groups === undefined ? null : dateOf(groups, now);
		if (at !== null) return { at, letter: groups?.l };
	}
	return null;
}

/** @returns null for what is no time, such as the 13th month. */
function dateOf({ y, mo, d, h, m, s, f = "", z, half }: Record<string, string | undefined>, now: Date): Date | null {
	const month = mo === undefined ? now.getMonth() : /\d/.test(mo) ? Number(mo) - 1 : MONTHS.indexOf(mo.toLowerCase());
	const [minutes, seconds] = [Number(m), Number(s)];
	const hours = half === undefined ? Number(h) : (Number(h) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
	const day = d === undefined ? now.getDate() : Number(d);
	if (month < 0 || month > 11 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return null;
	const year = y === undefined ? now.getFullYear() : Number(y);
	const parts = [year, month, day, hours, minutes, seconds, millisecondsOf(f)] as const;
	const at = z === undefined ? new Date(...parts) : new Date(Date.UTC(...parts) - zoneMs(z));
	const isLate = at.getTime() > now.getTime() + AHEAD_MS;
	if (isLate && d === undefined) return new Date(at.getTime() - DAY_MS);
	// A line of December, read in January.
	if (isLate && y === undefined) at.setFullYear(year - 1);
	return at;
}

const millisecondsOf = (fraction: string): number => Math.floor(Number(`0.${fraction || 0}`) * 1_000);

function zoneMs(zone: string): number {
	const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
	return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

function levelIn(line: string): Level | null {
	const beginning = line.slice(0, BEGINNING);
	const word = LEVEL_FIELD.exec(beginning)?.[1] ?? LEVEL.exec(beginning)?.[1];
	return (word && LEVELS[word.toLowerCase()]) || null;
}

type Fields = Record<string, unknown>;

/** A line of JSON: its message is the text, the rest is data. */
function jsonLine(line: string, now: Date): LogLine | null {
	let fields: Fields;
	try {
		fields = JSON.parse(line);
	} catch {
		return null;
	}
	const record = recordOf(fields);
	const first = (...names: string[]) => names.map((name) => record[name]).find((value) => value != null);
	const message = first(
		"msg",
		"message",
		"event",
		"text",
		"@m",
		"@mt",
		"RenderedMessage",
		"MessageTemplate",
		"MESSAGE",
	);
	const more = first("short_message", "textPayload", "body", "jsonPayload");
	const text = textIn(message ?? more);
	return {
		at: jsonTime(record, now),
		level: jsonLevel(record),
		...(text === null ? { text: line } : { text, data: fields }),
	};
}

/** OpenTelemetry's exporters wrap records in lists by resource and scope. */
function recordOf(fields: Fields): Fields {
	const { resourceLogs } = fields as { resourceLogs?: { scopeLogs?: { logRecords?: Fields[] }[] }[] };
	return resourceLogs?.[0]?.scopeLogs?.[0]?.logRecords?.[0] ?? fields;
}

const textIn = (value: unknown): string | null => {
	if (typeof value === "string") return value;
	const { stringValue, message } = (value ?? {}) as { stringValue?: unknown; message?: unknown };
	const text = stringValue ?? message;
	return typeof text === "string" ? text : null;
};

const TIMES = ["time", "ts", "timestamp", "@timestamp", "Timestamp", "@t", "t", "datetime", "date", "asctime"];

/** As pino, zap, logstash, Serilog, MongoDB, journald, OpenTelemetry, Google Cloud and GELF write it. */
function jsonTime(fields: Fields, now: Date): Date | null {
	const nanoseconds = fields.timeUnixNano ?? fields.observedTimeUnixNano;
	if (nanoseconds != null) return dateOfMs(Number(nanoseconds) / 1_000_000);
	const { __REALTIME_TIMESTAMP: microseconds, timestampSeconds, timestampNanos } = fields;
	if (microseconds != null) return dateOfMs(Number(microseconds) / 1_000);
	if (timestampSeconds != null)
		return dateOfMs(Number(timestampSeconds) * 1_000 + Number(timestampNanos ?? 0) / 1_000_000);
	const time = TIMES.map((name) => fields[name]).find((value) => value != null);
	if (typeof time !== "object") return time === undefined ? null : (timeIn(String(time), now)?.at ?? null);
	const { $date, seconds, nanos } = time as { $date?: unknown; seconds?: unknown; nanos?: unknown };
	if ($date != null) return timeIn(String($date), now)?.at ?? null;
	return seconds == null ? null : dateOfMs(Number(seconds) * 1_000 + Number(nanos ?? 0) / 1_000_000);
}

function dateOfMs(ms: number): Date | null {
	const at = new Date(Math.floor(ms));
	return Number.isNaN(at.getTime()) ? null : at;
}

function jsonLevel(fields: Fields): Level | null {
	const { PRIORITY: priority, severityNumber, severity_number: severityNumber2 } = fields;
	if (priority != null) return syslogLevel(Number(priority));
	const names = ["level", "severity", "lvl", "Level", "@l", "s", "severityText", "severity_text", "levelname"];
	const level = names.map((name) => fields[name]).find((value) => value != null);
	if (typeof level === "number") return "short_message" in fields ? syslogLevel(level) : numberedLevel(level);
	const number = severityNumber ?? severityNumber2;
	if (level === undefined) return number == null ? null : otelLevel(Number(number));
	const word = String(level).toLowerCase();
	return Object.hasOwn(LEVELS, word) ? (LEVELS[word] ?? null) : null;
}
