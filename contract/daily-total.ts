/** `GET /v1/daily-totals`: tests, grid sessions and storage of each day, for plots over time. */
import * as z from "zod";
import "./no-eval.ts";
import { intParam } from "./query-params.ts";

/** The longest period, in days. */
export const MAX_TOTAL_DAYS = 90;

export const dailyTotalSchema = z.object({
	/** A day in UTC, such as `2026-11-28`. */
	day: z.iso.date(),
	/** Tests of the builds that last changed on this day. A test counts once in each build, by its last result there. */
	tests: z.int(),
	/** Tests that failed or had an error. */
	failed: z.int(),
	/** Tests that passed and failed for the same commit, or passed on a retry. */
	flaky: z.int(),
	/** Sessions of the grid that began on this day: all, and those with a recording. Kept for 30 days. */
	sessions: z.int(),
	recordedSessions: z.int(),
	/** Bytes of the organization at the end of the day, or now. Null for days that nobody measured. */
	storedBytes: z.int().nullable(),
});

export const dailyTotalsSchema = z.object({
	/** Every day of the period, the oldest first. The last one is today. */
	data: z.array(dailyTotalSchema),
});
export type DailyTotals = z.infer<typeof dailyTotalsSchema>;

export const dailyTotalsQuerySchema = z.object({ days: intParam("days", 1, MAX_TOTAL_DAYS).default(30) });
export type DailyTotalsQuery = z.output<typeof dailyTotalsQuerySchema>;
