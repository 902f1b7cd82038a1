import { dailyTotalsQuerySchema, dailyTotalsSchema } from "@tapedeck/contract/daily-total.ts";
import { route } from "#lib/http/route.ts";
import { readDailyTotals } from "#lib/recordings/daily-totals.ts";

export const GET = route(
	{
		operationId: "getDailyTotals",
		summary: "Count tests, flaky tests, grid sessions and stored bytes of each day",
		permission: "recordings:read",
		query: dailyTotalsQuerySchema,
		answers: { 200: dailyTotalsSchema },
	},
	({ ctx, query }) => readDailyTotals(ctx, query),
);
