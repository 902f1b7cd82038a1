/** Parses durations and dates as common tools write them. An ambiguous notation is decided once for a whole report. */

/** One separator in groups of three: thousands, or a number with three decimals. */
const isGrouped = (text: string): boolean => /^[1-9]\d{0,2}([.,])\d{3}(\1\d{3})*$/.test(text);
/** 1h2m3.5s, PT3.5S */
const UNITS = /^(?:PT?)?(?:(\d+)h)?(?:(\d+)m(?:in)?)?(?:(\d+(?:\.\d+)?)s)?$/i;
const CLOCK = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/;
const NUMBER = /^((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?|\d+\.)(ms|sec|seconds)?$/i;

/** @returns a reader of lengths in seconds that takes commas and dots as all lengths of the report have them. */
export function lengthReader(texts: readonly string[]): (text: string) => number | null {
	const given = texts.map(withoutSpaces).filter((text) => /[.,]/.test(text));
	const decimal = decimalOf(given);
	const group = decimal === "," ? "." : ",";
	return (text) => {
		const written = withoutSpaces(text);
		// A separator that cannot mark thousands is a decimal separator.
		const isPlain = !/[.,].*[.,]/.test(written) && !isGrouped(written);
		const plain = (isPlain ? written : written.replaceAll(group, "")).replace(",", ".");
		const number = NUMBER.exec(plain);
		if (number) return Number(number[1]) / (number[2]?.toLowerCase() === "ms" ? 1_000 : 1);
		const parts = CLOCK.exec(plain) ?? (/\d/.test(plain) ? UNITS.exec(plain) : null);
		return parts && Number(parts[1] ?? 0) * 3_600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0);
	};
}

function decimalOf(given: readonly string[]): "." | "," {
	const both = given.find((text) => text.includes(",") && text.includes("."));
	if (both !== undefined) return both.lastIndexOf(",") > both.lastIndexOf(".") ? "," : ".";
	// Two groups are no decimals.
	if (given.some((text) => /,\d{3},/.test(text))) return ".";
	if (given.some((text) => /\.\d{3}\./.test(text))) return ",";
	const commas = given.filter((text) => text.includes(","));
	const isDecimal = commas.some((text) => !isGrouped(text));
	// Without any dot, thousands of seconds to the second are less likely than milliseconds.
	return isDecimal || (commas.length > 0 && commas.length === given.length) ? "," : ".";
}

const withoutSpaces = (text: string): string => text.replace(/[\s\u00a0\u202f']/g, "");

/** Possible readings of a date without a zone, or with day and month as numbers. */
export interface Reading {
	zone: "local" | "utc";
	order: "day" | "month";
}
export const READINGS: readonly Reading[] = [
	{ zone: "local", order: "month" },
	{ zone: "utc", order: "month" },
	{ zone: "local", order: "day" },
	{ zone: "utc", order: "day" },
];

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,:](\d+))?)?(?:\s*([AP])\.?M\.?)?`;
const REST = String.raw`\s*(.*)$`;
/** 2026-11-25T10:00:00.000Z, 2026/11/25 10:00:00, 2026-11-25_10-00-00 */
const ISO = new RegExp(
	String.raw`^(\d{4})[-/.](\d\d)[-/.](\d\d)(?:[T_\s]+|\s*-\s*)(?:${TIME}|(\d\d)([-.]?)(\d\d)\10(\d\d)(?:[.,](\d+))?)${REST}`,
	"i",
);
/** 20261125T100000Z, 20261125100000.123+0100 */
const BASIC = new RegExp(
	String.raw`^(20\d\d)(\d\d)(\d\d)[T_\s-]?(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]?(\d+))?)?${REST}`,
	"i",
);
const YEAR = String.raw`(\d{4}|\d\d)`;
const NUMBERS = new RegExp(String.raw`^(\d{1,2})([./-])(\d{1,2})[./-]${YEAR},?\s+${TIME}${REST}`, "i");
/** Wed, 25 Nov 2026 10:00:00 GMT, 25/Nov/2026:10:00:00 +0000 */
const DAY_FIRST = new RegExp(
	String.raw`^(?:[a-z]{3,9},?\s+)?(\d{1,2})[\s/-]([a-z]{3})[a-z]*\.?[\s/-]${YEAR}(?:,?\s+|:)${TIME}${REST}`,
	"i",
);
/** Wed Nov 25 2026 10:00:00 GMT+0100, Nov 25, 2026, 10:00:00 AM */
const MONTH_FIRST = new RegExp(
	String.raw`^(?:[a-z]{3,9},?\s+)?([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4}),?\s+(?:at\s+)?${TIME}${REST}`,
	"i",
);
/** Wed Nov 25 10:00:00 UTC 2026 */
const YEAR_LAST = new RegExp(
	String.raw`^[a-z]{3}\s+([a-z]{3})\s+(\d{1,2})\s+${TIME}\s+(?:([a-z]{2,5}|[+-]\d{4}|GMT[+-]\d\d:\d\d)\s+)?(\d{4})$`,
	"i",
);

export interface Instant {
	/** Milliseconds since 1970. */
	at: number;
	/** Whether another reading may be another time. */
	isZoned: boolean;
	/** Precision in milliseconds: a date may be written in whole seconds or minutes. */
	grain: number;
}

/** @returns null for what is not a date with a time. */
export function instantOf(text: string, reading: Reading): Instant | null {
	const trimmed = text.trim().replaceAll("\u202f", " ");
	// A number with that many digits is a date: as milliseconds or microseconds since 1970 it would be in the far future.
	const basic = /^\d{12}$|^\d{14}(\d{3})?(\D|$)|^\d{8}\D/.test(trimmed) ? BASIC.exec(trimmed) : null;
	if (basic) return instant(basic[1], Number(basic[2]), basic[3], basic.slice(4, 8), basic[8], reading);
	if (/^\d{9,19}([.,]\d+)?$/.test(trimmed)) return epoch(trimmed.replace(",", "."));
	const iso = ISO.exec(trimmed);
	if (iso) {
		const [hours, , minutes, seconds, fraction] = iso.slice(9, 14);
		const time = iso[4] === undefined ? [hours, minutes, seconds, fraction] : iso.slice(4, 9);
		return instant(iso[1], Number(iso[2]), iso[3], time, iso[14], reading);
	}
	const numbers = NUMBERS.exec(trimmed);
	if (numbers) {
		const [first, second] = [Number(numbers[1]), Number(numbers[3])];
		const isDayFirst = numbers[2] === "." || first > 12 || (second <= 12 && reading.order === "day");
		const [month, day] = isDayFirst ? [second, first] : [first, second];
		return instant(numbers[4], month, String(day), numbers.slice(5, 10), numbers[10], reading);
	}
	const dayFirst = DAY_FIRST.exec(trimmed);
	if (dayFirst)
		return instant(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], dayFirst.slice(4, 9), dayFirst[9], reading);
	const monthFirst = MONTH_FIRST.exec(trimmed);
	if (monthFirst) {
		return instant(
			monthFirst[3],
			monthOf(monthFirst[1]),
			monthFirst[2],
			monthFirst.slice(4, 9),
			monthFirst[9],
			reading,
		);
	}
	const last = YEAR_LAST.exec(trimmed);
	if (last) return instant(last[9], monthOf(last[1]), last[2], last.slice(3, 8), last[8], reading);
	return null;
}

const monthOf = (name = ""): number => MONTHS.indexOf(name.toLowerCase()) + 1;

/** Seconds, or smaller units when it has more digits. */
function epoch(text: string): Instant {
	const digits = text.replace(/\..*/, "").length;
	const divisor = digits <= 11 ? 0.001 : digits <= 14 ? 1 : digits <= 17 ? 1_000 : 1_000_000;
	const at = Math.round(Number(text) / divisor);
	return { at, isZoned: true, grain: at % SECOND_MS === 0 ? SECOND_MS : 0 };
}

function instant(
	year: string | undefined,
	month: number,
	day: string | undefined,
	[hours, minutes, seconds, fraction, half]: (string | undefined)[],
	zone: string | undefined,
	{ zone: assumed }: Reading,
): Instant | null {
	if (month < 1 || month > 12 || Number(day) < 1 || Number(day) > 31) return null;
	let hour = Number(hours);
	if (half) hour = (hour % 12) + (half.toUpperCase() === "P" ? 12 : 0);
	const parts = [
		Number(year) + (year?.length === 2 ? 2_000 : 0),
		month - 1,
		Number(day),
		hour,
		Number(minutes),
		Number(seconds ?? 0),
	] as const;
	const more = Math.floor(Number(`0.${fraction ?? 0}`) * 1_000);
	const wall = Date.UTC(...parts) + more;
	const grain = seconds === undefined ? MINUTE_MS : more === 0 ? SECOND_MS : 0;
	const offset = offsetOf(zone?.trim() ?? "");
	if (offset !== null) return { at: wall - offset * 60_000, isZoned: true, grain };
	return { at: assumed === "utc" ? wall : new Date(...parts).getTime() + more, isZoned: false, grain };
}

/** Minutes east of Greenwich; null for none, and for a name such as CST, which several zones have. */
function offsetOf(zone: string): number | null {
	const given = /^(?:GMT|UTC)?\s*([+\-\u2212])(\d\d):?(\d\d)?/i.exec(zone);
	if (given) return (given[1] === "+" ? 1 : -1) * (Number(given[2]) * 60 + Number(given[3] ?? 0));
	return /^(Z|UTC|GMT)\b/i.test(zone) ? 0 : null;
}
