/** The expiry of a new API key, as chosen in the form. */

export const EXPIRIES = ["30", "90", "365", "date", "never"] as const;
export type ExpiryChoice = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/**
 * @param day for `date`: the last day on which the key works, `2027-01-31`, in the user's time zone.
 * @returns RFC 3339; null for no expiry; undefined for an invalid or past day.
 */
export function expiresAtOf(choice: ExpiryChoice, day: string, now: number): string | null | undefined {
	if (choice === "never") return null;
	if (choice !== "date") return new Date(now + Number(choice) * DAY_MS).toISOString();
	const [year, month, date] = day.split("-").map(Number);
	if (year === undefined || month === undefined || date === undefined) return undefined;
	const end = new Date(year, month - 1, date + 1);
	return Number.isNaN(end.getTime()) || end.getTime() <= now ? undefined : end.toISOString();
}
