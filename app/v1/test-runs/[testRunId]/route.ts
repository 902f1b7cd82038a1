import { testRunDetailSchema } from "@tapedeck/contract/test-run.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { deleteTestRun, readTestRun } from "#lib/test-results/test-runs.ts";

const params = pathIds("testRunId");

export const GET = route(
	{
		operationId: "getTestRun",
		summary: "Get a test run",
		permission: "recordings:read",
		params,
		answers: { 200: testRunDetailSchema },
	},
	({ ctx, params }) => readTestRun(ctx, params.testRunId),
);

export const DELETE = route(
	{
		operationId: "deleteTestRun",
		summary: "Delete a test run with its results, for good",
		permission: "recordings:write",
		audit: ["test_run.deleted"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => deleteTestRun(ctx, params.testRunId),
);
