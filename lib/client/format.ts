/** Numbers and times as people read them. */

/** `0:07`, `12:03`, `1:02:03`. */
export function formatDuration(seconds: number): string {
	const whole = Math.max(0, Math.floor(seconds));
	const s = String(whole % 60).padStart(2, "0");
	const m = Math.floor(whole / 60) % 60;
	const h = Math.floor(whole / 3600);
	return h > 0 ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

/** `0:07.4`: with tenths, for the player. */
export function formatInstant(seconds: number): string {
	const tenths = Math.max(0, Math.floor(seconds * 10 + 0.001));
	return `${formatDuration(Math.floor(tenths / 10))}.${tenths % 10}`;
}

/** `45 s`, `2 min 5 s`, `1 h`: a span in words, at most two units. */
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

/** `30.0 s`, `5.2 s`; from a minute on as `formatSpan`: what was measured, as exact as it matters. */
export const formatLength = (seconds: number): string =>
	seconds < 59.95 ? `${Math.max(0, seconds).toFixed(1)} s` : formatSpan(seconds);

/** `+0:12.4`, `−0:01.3`: how long after (or before) a moment. */
export const formatOffset = (seconds: number): string =>
	`${seconds < -0.05 ? "−" : "+"}${formatInstant(Math.round(Math.abs(seconds) * 10) / 10)}`;

/** `just now`, `12 s ago`, `3 min ago`, `2 h ago`, `5 d ago`; beyond 30 days the date. */
export function formatAge(atMs: number, nowMs: number): string {
	const seconds = Math.floor((nowMs - atMs) / 1000);
	if (seconds < 3) return "just now";
	if (seconds < 60) return `${seconds} s ago`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
	if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
	if (seconds < 30 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`;
	return formatDate(atMs);
}

/** `812 B`, `4.6 MB`, `12 GB`: powers of 1,000, at most two figures after which nobody looks. */
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
 * Formats times in the reader's language and zone. A formatter costs far more to make than to use, and rows have several
 * that tick: it is kept for as long as the reader's clock stays in one zone.
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

/** The exact time, in the reader's zone. */
export const formatExact = timeFormat({ dateStyle: "medium", timeStyle: "medium" });

/** The time of day with seconds, in the reader's zone. */
export const formatClock = timeFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

const formatDate = timeFormat({ dateStyle: "medium" });
