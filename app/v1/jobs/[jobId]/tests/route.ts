import { createTestResultsBodySchema, testResultListSchema } from "@tapedeck/contract/test-result.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { createResults } from "#lib/test-results/create-results.ts";

export const POST = route(
	{
		operationId: "createTestResults",
		summary: "Report what became of tests while a job recorded them: all results, or none if one is not valid",
		permission: "jobs:write",
		audit: { none: "Results are what a job recorded, not who did what." },
		params: pathIds("jobId"),
		body: createTestResultsBodySchema,
		answers: { 201: testResultListSchema },
	},
	async ({ ctx, params, body }) => ({ data: await createResults(ctx, params.jobId, body) }),
);
