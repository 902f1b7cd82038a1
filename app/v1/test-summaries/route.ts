import { listedTestPageSchema, listTestSummariesQuerySchema } from "@tapedeck/contract/listed-test.ts";
import { route } from "#lib/http/route.ts";
import { listTests } from "#lib/test-results/list-tests.ts";

export const GET = route(
	{
		operationId: "listTestSummaries",
		summary: "List tests, with their pass rate, flakiness, duration and owner, and how their newest results ended",
		permission: "recordings:read",
		query: listTestSummariesQuerySchema,
		answers: { 200: listedTestPageSchema },
	},
	({ ctx, query }) => listTests(ctx, query),
);
