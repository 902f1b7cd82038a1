/** Filters and grouping of the failures page, and their form in the URL. */
import type { FailureGrouping } from "@tapedeck/contract/test-failure.ts";

export const PERIODS = ["seen", "night", "day", "week"] as const;
export type Period = (typeof PERIODS)[number];

/** The groupings of failures: the name of the choice, and the singular and plural in a sentence. */
export const GROUPINGS: Readonly<Record<FailureGrouping, { name: string; one: string; many: string }>> = {
	cause: { name: "Cause", one: "cause", many: "causes" },
	test: { name: "Test", one: "test", many: "tests" },
	build: { name: "Build", one: "build", many: "builds" },
	screen: { name: "Screen", one: "screen", many: "screens" },
};

export interface FailureFilters {
	period: Period;
	by: FailureGrouping;
	/** Whether muted failures are shown too. */
	muted: boolean;
	q: string;
}

/** The filters of a URL; invalid ones are left out. */
export function filtersFromSearch(params: URLSearchParams): FailureFilters {
	return {
		period: PERIODS.find((period) => period === params.get("since")) ?? "seen",
		by: (Object.keys(GROUPINGS) as FailureGrouping[]).find((by) => by === params.get("by")) ?? "cause",
		muted: params.get("muted") === "yes",
		q: (params.get("q") ?? "").trim().slice(0, 1_000),
	};
}

/** The address of the page with these filters. */
export function addressOf({ period, by, muted, q }: FailureFilters): string {
	const params = new URLSearchParams();
	if (period !== "seen") params.set("since", period);
	if (by !== "cause") params.set("by", by);
	if (muted) params.set("muted", "yes");
	if (q !== "") params.set("q", q);
	return params.size === 0 ? "/failures" : `/failures?${params}`;
}

const HOUR_MS = 3_600_000;
const NIGHT_BEGINS = 18;

/**
 * When a period began, in milliseconds since 1970. The night began at 18:00 of the day before, in the user's zone.
 * @param seenAt up to when the user has seen what failed; null if they never said so: then it is the last week.
 */
export function startOf(period: Period, now: number, seenAt: number | null): number {
	const week = now - 7 * 24 * HOUR_MS;
	switch (period) {
		case "seen":
			return seenAt ?? week;
		case "night": {
			const evening = new Date(now);
			evening.setDate(evening.getDate() - 1);
			return evening.setHours(NIGHT_BEGINS, 0, 0, 0);
		}
		case "day":
			return now - 24 * HOUR_MS;
		case "week":
			return week;
	}
}
