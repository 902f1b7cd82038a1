/** When a new key ends: what the form offers. */

export const EXPIRIES = ["30", "90", "365", "date", "never"] as const;
export type ExpiryChoice = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/**
 * @param day for `date`: the last day that the key works, `2027-01-31`, where the person is.
 * @returns RFC 3339; null for never; undefined for a day that is none or has passed.
 */
export function expiresAtOf(choice: ExpiryChoice, day: string, now: number): string | null | undefined {
	if (choice === "never") return null;
	if (choice !== "date") return new Date(now + Number(choice) * DAY_MS).toISOString();
	const [year, month, date] = day.split("-").map(Number);
	if (year === undefined || month === undefined || date === undefined) return undefined;
	const end = new Date(year, month - 1, date + 1);
	return Number.isNaN(end.getTime()) || end.getTime() <= now ? undefined : end.toISOString();
}
