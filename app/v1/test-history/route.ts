import { testHistoryQuerySchema, testHistorySchema } from "@tapedeck/contract/test-result.ts";
import { route } from "#lib/http/route.ts";
import { readHistory } from "#lib/test-results/list-results.ts";

export const GET = route(
	{
		operationId: "getTestHistory",
		summary: "List the results of a test over time, the newest first, and sum them up",
		permission: "recordings:read",
		query: testHistoryQuerySchema,
		answers: { 200: testHistorySchema },
	},
	({ ctx, query }) => readHistory(ctx, query),
);
