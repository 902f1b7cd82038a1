import { createTestResultsBodySchema, testResultListSchema } from "@tapedeck/contract/test-result.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { createResultsOfRun } from "#lib/test-results/create-results.ts";

export const POST = route(
	{
		operationId: "createTestRunResults",
		summary: "Report what became of tests of a test run: all results, or none if one is not valid",
		permission: "jobs:write",
		audit: { none: "Results are what tests did, not who did what." },
		params: pathIds("testRunId"),
		body: createTestResultsBodySchema,
		refusals: ["quota_exceeded"],
		answers: { 201: testResultListSchema },
	},
	async ({ ctx, params, body }) => ({ data: await createResultsOfRun(ctx, params.testRunId, body) }),
);
