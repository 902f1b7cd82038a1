/** When something was created, as filters offer it: how long ago at most, or between two days. */

const HOUR_MS = 3_600_000;
/** Maximum ages, by their names in the URL. */
export const AGES = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS } as const;
export type Age = keyof typeof AGES;

export const AGE_OPTIONS: readonly (readonly [value: Age | "", name: string])[] = [
	["", "Any age"],
	["1h", "Last hour"],
	["24h", "Last 24 hours"],
	["7d", "Last 7 days"],
	["30d", "Last 30 days"],
];

/** Days as `2026-11-23`, in the time zone of the browser; each is included. */
export interface Days {
	from?: string;
	to?: string;
}

/** @returns whether the text is a day that exists */
export const isDay = (text: string): boolean => {
	const at = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text && text >= EARLIEST_DAY;
};

/** Nothing is older. While a year is being typed, a date field has the years 2, 20 and 202. */
export const EARLIEST_DAY = "2000-01-01";

/** The bounds of the days as times in ms, the first and the last included. */
function boundsOf({ from, to }: Days): { first: number; last: number } {
	const end = to === undefined ? null : new Date(`${to}T00:00`);
	// The calendar counts: with a change of the clocks a day has 23 or 25 hours.
	end?.setDate(end.getDate() + 1);
	return {
		first: from === undefined ? Number.NEGATIVE_INFINITY : new Date(`${from}T00:00`).getTime(),
		last: end === null ? Number.POSITIVE_INFINITY : end.getTime() - 1,
	};
}

interface Created extends Days {
	age?: Age;
}

/** The API's query parameters, both of which exclude the instant itself. */
export function createdQuery(
	{ age, ...days }: Created,
	nowMs: number,
): { createdAfter?: string; createdBefore?: string } {
	if (age !== undefined) return { createdAfter: new Date(nowMs - AGES[age]).toISOString() };
	const { first, last } = boundsOf(days);
	return {
		...(Number.isFinite(first) ? { createdAfter: new Date(first - 1).toISOString() } : {}),
		...(Number.isFinite(last) ? { createdBefore: new Date(last + 1).toISOString() } : {}),
	};
}

/** Whether something was created then. */
export function isCreatedWithin(createdAt: string, { age, ...days }: Created, nowMs: number): boolean {
	const at = Date.parse(createdAt);
	if (age !== undefined) return at > nowMs - AGES[age];
	const { first, last } = boundsOf(days);
	return at >= first && at <= last;
}
