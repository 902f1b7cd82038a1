/** The times and levels of lines of logs, as programs usually write them: at the beginning, or as a field of JSON. */
import type { ReportedLine } from "../../clients/typescript/src/index.ts";

type Level = NonNullable<ReportedLine["level"]>;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY_MS = 86_400_000;
/** A time of day is today's, unless that is so much later than now. */
const AHEAD_MS = 3_600_000;
const CLOCK = String.raw`(?<h>\d\d?):(?<m>\d\d):(?<s>\d\d)(?:[.,](?<f>\d{1,9}))?`;
const ZONE = String.raw`\s?(?<z>Z|UTC|GMT|[+-]\d\d:?\d\d)?`;

/** At the beginning of a line, in brackets or not. */
const FORMATS: readonly RegExp[] = [
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

const LEVEL = /\b(TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRITICAL|FATAL)\b/;
const LEVEL_FIELD = /\b(?:level|lvl|severity)=["']?(\w+)/i;
const LEVELS: Readonly<Record<string, Level>> = {
	...{ trace: "debug", debug: "debug", verbose: "debug", info: "info", notice: "info", i: "info" },
	...{ warn: "warn", warning: "warn", w: "warn", e: "error", f: "error" },
	...{ err: "error", error: "error", severe: "error", critical: "error", fatal: "error" },
};
/** Of pino and bunyan. */
const numberedLevel = (level: number): Level =>
	level >= 50 ? "error" : level >= 40 ? "warn" : level >= 30 ? "info" : "debug";
/** Where a level is looked for. */
const BEGINNING = 200;

/** What a line says about itself. */
export interface LogLine {
	/** Null if it has no time: it goes with the line before. */
	at: Date | null;
	level: Level | null;
	text: string;
	data?: Record<string, unknown>;
}

/** @param now for times without a date, or without a year. Times without a zone are local. */
export function readLogLine(line: string, now = new Date()): LogLine {
	if (line.startsWith("{")) return jsonLine(line, now) ?? { at: null, level: levelIn(line), text: line };
	const found = timeIn(line, now);
	const letter = found?.letter?.toLowerCase();
	return { at: found?.at ?? null, level: (letter && LEVELS[letter]) || levelIn(line), text: line };
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
function dateOf({ y, mo, d, h, m, s, f = "", z }: Record<string, string | undefined>, now: Date): Date | null {
	const month = mo === undefined ? now.getMonth() : /\d/.test(mo) ? Number(mo) - 1 : MONTHS.indexOf(mo.toLowerCase());
	const [hours, minutes, seconds] = [Number(h), Number(m), Number(s)];
	const day = d === undefined ? now.getDate() : Number(d);
	if (month < 0 || month > 11 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return null;
	const year = y === undefined ? now.getFullYear() : Number(y);
	const parts = [year, month, day, hours, minutes, seconds, millisecondsOf(f)] as const;
	const at = z === undefined ? new Date(...parts) : new Date(Date.UTC(...parts) - zoneMs(z));
	const isLate = at.getTime() > now.getTime() + AHEAD_MS;
	if (isLate && d === undefined) return new Date(at.getTime() - DAY_MS);
	// Of December, read in January.
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

/** A line of JSON, as pino, zap, bunyan, logstash and structlog write them: its message is the text, the rest is data. */
function jsonLine(line: string, now: Date): LogLine | null {
	let fields: Record<string, unknown>;
	try {
		fields = JSON.parse(line);
	} catch {
		return null;
	}
	const first = (...names: string[]) => names.map((name) => fields[name]).find((value) => value != null);
	const [time, level] = [first("time", "ts", "timestamp", "@timestamp"), first("level", "severity", "lvl")];
	const text = first("msg", "message", "event", "text");
	return {
		at: time === undefined ? null : (timeIn(String(time), now)?.at ?? null),
		level: typeof level === "number" ? numberedLevel(level) : (LEVELS[String(level).toLowerCase()] ?? null),
		...(typeof text === "string" ? { text, data: fields } : { text: line }),
	};
}
