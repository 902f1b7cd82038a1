import { endTestRunBodySchema, testRunSchema } from "@tapedeck/contract/test-run.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { endTestRun } from "#lib/test-results/test-runs.ts";

export const POST = route(
	{
		operationId: "endTestRun",
		summary: "End a test run with its outcome: tests that have none get `error`",
		permission: "jobs:write",
		audit: { none: "A run ends as its tests did, and the log has who created it." },
		params: pathIds("testRunId"),
		body: endTestRunBodySchema,
		answers: { 200: testRunSchema },
	},
	({ ctx, params, body }) => endTestRun(ctx, params.testRunId, body),
);
