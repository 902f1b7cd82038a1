import * as z from "zod";
import { testResultSchema } from "#lib/contract/test-result.ts";
import { pathId, route } from "#lib/http/route.ts";
import { readResult } from "#lib/test-results/list-results.ts";

export const GET = route(
	{
		operationId: "getTestResult",
		summary: "Get a test result with all its steps",
		permission: "recordings:read",
		params: z.object({ resultId: pathId }),
		answers: { 200: testResultSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await readResult(ctx, params.resultId) }),
);
