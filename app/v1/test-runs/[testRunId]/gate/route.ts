import { gateBodySchema, gateSchema } from "@tapedeck/contract/gate.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { decideTestRunGate } from "#lib/test-results/gate.ts";

export const POST = route(
	{
		operationId: "decideTestRunGate",
		summary: "Decide whether the failures of a test run are all known, so that CI passes",
		permission: "jobs:write",
		audit: ["test_run.let_through"],
		params: pathIds("testRunId"),
		body: gateBodySchema,
		answers: { 200: gateSchema },
	},
	({ ctx, params, body }) => decideTestRunGate(ctx, params.testRunId, body),
);
