import { failureGroupListSchema, listFailureGroupsQuerySchema } from "@tapedeck/contract/test-failure.ts";
import { route } from "#lib/http/route.ts";
import { groupFailures } from "#lib/test-results/group-failures.ts";

export const GET = route(
	{
		operationId: "listTestFailures",
		summary: "List the newest failures of tests in groups: by cause, test, build, or by what the screen showed",
		permission: "recordings:read",
		query: listFailureGroupsQuerySchema,
		answers: { 200: failureGroupListSchema },
	},
	({ ctx, query }) => groupFailures(ctx, query),
);
