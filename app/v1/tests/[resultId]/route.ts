import { testResultDetailSchema } from "@tapedeck/contract/test-result.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { readResult } from "#lib/test-results/list-results.ts";

export const GET = route(
	{
		operationId: "getTestResult",
		summary: "Get a test result with all its steps and attachments",
		permission: "recordings:read",
		params: pathIds("resultId"),
		answers: { 200: testResultDetailSchema },
	},
	({ ctx, params }) => readResult(ctx, params.resultId),
);
