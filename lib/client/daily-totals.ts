/** Totals of the last 30 days, for plots over time. */
import { queryOptions } from "@tanstack/react-query";
import type { DailyTotals } from "@tapedeck/contract/daily-total.ts";
import { call } from "./api.ts";

const FETCH_AGAIN_MS = 60_000;

export const dailyTotalsQuery = queryOptions({
	queryKey: ["dailyTotals"],
	queryFn: ({ signal }) => call<DailyTotals>("GET", "/v1/daily-totals", { signal }).then(({ data }) => data),
	refetchInterval: FETCH_AGAIN_MS,
});
