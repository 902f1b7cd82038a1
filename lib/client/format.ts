/** Formats numbers, times and names for users. */

import { formatInstant } from "@tapedeck/contract/video-time.ts";

const cardinal = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en");

/** "1 job", "2 jobs", "1,000 jobs". */
export const counted = (count: number, one: string, many: string): string =>
	`${numbers.format(count)} ${cardinal.select(count) === "one" ? one : many}`;

/** `13 tests failed (24 attempts)`; the attempts are left out if there was one for each test. */
export const failedTests = (tests: number, attempts: number): string =>
	`${counted(tests, "test", "tests")} failed${attempts > tests ? ` (${counted(attempts, "attempt", "attempts")})` : ""}`;

/** A commit as it is shown everywhere: its first 10 characters. */
export const shortCommit = (commit: string): string => commit.slice(0, 10);

/** Right-to-left letters, and characters that change the text direction. */
const CHANGES_DIRECTION =
	/[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name inside a sentence, in directional isolates if it could reorder the text around it (Unicode TR9). */
export const isolated = (name: string): string => (CHANGES_DIRECTION.test(name) ? `\u2068${name}\u2069` : name);

/** `a viewer`, `an owner`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;

/** The name in quotation marks. */
export const quoted = (name: string): string => `“${isolated(name)}”`;

/** `97 %`, `> 99 %`, `< 1 %`: a share from 0 to 1. Only all is 100 %, and only nothing is 0 %. */
export function formatShare(share: number): string {
	const percent = 100 * share;
	return `${percent > 99 && percent < 100 ? "> 99" : percent > 0 && percent < 1 ? "< 1" : Math.round(percent)} %`;
}

/** `45 s`, `2 min 5 s`, `1 h`: a span in at most two units. */
export function formatSpan(seconds: number): string {
	const whole = Math.max(0, Math.round(seconds));
	const units: [number, string][] = [
		[Math.floor(whole / 86_400), "d"],
		[Math.floor(whole / 3600) % 24, "h"],
		[Math.floor(whole / 60) % 60, "min"],
		[whole % 60, "s"],
	];
	const first = units.findIndex(([count]) => count > 0);
	if (first < 0) return "0 s";
	return units
		.slice(first, first + 2)
		.filter(([count]) => count > 0)
		.map(([count, unit]) => `${count} ${unit}`)
		.join(" ");
}

/** A measured duration: `4 ms`, `30.0 s`, `5.2 s`; from one minute on as `formatSpan`. */
export const formatLength = (seconds: number): string => {
	if (seconds < 0.0995) return `${Math.max(0, Math.round(seconds * 1_000))} ms`;
	return seconds < 59.95 ? `${seconds.toFixed(1)} s` : formatSpan(seconds);
};

/** `+0:12.4`, `−0:01.3`: the time after (or before) a reference. */
export const formatOffset = (seconds: number): string =>
	`${seconds < -0.05 ? "−" : "+"}${formatInstant(Math.round(Math.abs(seconds) * 10) / 10)}`;

/** `just now`, `12 s ago`, `3 min ago`, `2 h ago`, `5 d ago`; after 30 days the date. */
export function formatAge(atMs: number, nowMs: number): string {
	const seconds = Math.floor((nowMs - atMs) / 1000);
	if (seconds < 3) return "just now";
	if (seconds < 60) return `${seconds} s ago`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
	if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
	if (seconds < 30 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`;
	return formatDate(atMs);
}

/** `812 B`, `4.6 MB`, `12 GB`: powers of 1,000, rounded to two digits. */
export function formatBytes(bytes: number): string {
	const units = ["B", "kB", "MB", "GB", "TB"];
	let value = Math.max(0, bytes);
	let unit = 0;
	while (value >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit += 1;
	}
	return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/**
 * Formats times in the user's language and time zone. Creating a formatter is far more expensive than using it, and rows
 * update constantly, so it is kept until the time zone changes.
 */
function timeFormat(options: Intl.DateTimeFormatOptions): (at: string | number) => string {
	let kept: { format: Intl.DateTimeFormat; zone: number } | undefined;
	return (at) => {
		const date = new Date(at);
		const zone = new Date().getTimezoneOffset();
		if (kept?.zone !== zone) kept = { format: new Intl.DateTimeFormat(undefined, options), zone };
		return kept.format.format(date);
	};
}

/** The exact time, in the user's time zone. */
export const formatExact = timeFormat({ dateStyle: "medium", timeStyle: "medium" });

/** The time of day with seconds, in the user's time zone. */
export const formatClock = timeFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

const formatDate = timeFormat({ dateStyle: "medium" });
const formatDayOfYear = timeFormat({ month: "short", day: "numeric" });

/** `Dec 25`; with the year if it is another one. In the user's time zone. */
export const formatDay = (at: string | number): string =>
	new Date(at).getFullYear() === new Date().getFullYear() ? formatDayOfYear(at) : formatDate(at);
