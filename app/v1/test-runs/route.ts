import { locationHeader } from "@tapedeck/contract/headers.ts";
import {
	createTestRunBodySchema,
	listTestRunsQuerySchema,
	testRunPageSchema,
	testRunSchema,
} from "@tapedeck/contract/test-run.ts";
import { Answer, route } from "#lib/http/route.ts";
import { createTestRun, listTestRuns } from "#lib/test-results/test-runs.ts";

export const GET = route(
	{
		operationId: "listTestRuns",
		summary: "List test runs, newest first",
		permission: "recordings:read",
		query: listTestRunsQuerySchema,
		answers: { 200: testRunPageSchema },
	},
	({ ctx, query }) => listTestRuns(ctx, query),
);

export const POST = route(
	{
		operationId: "createTestRun",
		summary: "Create a test run: a list of results that no job recorded. With a known key: return the run that has it",
		permission: "jobs:write",
		audit: ["test_run.created"],
		body: createTestRunBodySchema,
		answerHeaders: locationHeader,
		answers: { 200: testRunSchema, 201: testRunSchema },
	},
	async ({ ctx, body }) => {
		const { run, isNew } = await createTestRun(ctx, body);
		return new Answer(isNew ? 201 : 200, run, { location: `/v1/test-runs/${run.id}` });
	},
);
