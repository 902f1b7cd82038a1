import { locationHeader } from "@tapedeck/contract/headers.ts";
import {
	createTestRunBodySchema,
	listTestRunsQuerySchema,
	testRunPageSchema,
	testRunSchema,
} from "@tapedeck/contract/test-run.ts";
import { route } from "#lib/http/route.ts";
import { createTestRun, listTestRuns } from "#lib/test-results/test-runs.ts";

export const GET = route(
	{
		operationId: "listTestRuns",
		summary: "List test runs, newest first",
		permission: "recordings:read",
		query: listTestRunsQuerySchema,
		answers: { 200: testRunPageSchema },
	},
	async ({ ctx, query }) => ({ status: 200, body: await listTestRuns(ctx, query) }),
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
		return { status: isNew ? 201 : 200, body: run, headers: { location: `/v1/test-runs/${run.id}` } };
	},
);
