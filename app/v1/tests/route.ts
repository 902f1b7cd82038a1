import { listTestResultsQuerySchema, testResultPageSchema } from "@tapedeck/contract/test-result.ts";
import { route } from "#lib/http/route.ts";
import { listResults } from "#lib/test-results/list-results.ts";

export const GET = route(
	{
		operationId: "listTestResults",
		summary: "List test results, the newest first",
		permission: "recordings:read",
		query: listTestResultsQuerySchema,
		answers: { 200: testResultPageSchema },
	},
	({ ctx, query }) => listResults(ctx, query),
);
