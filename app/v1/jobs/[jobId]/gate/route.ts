import { gateBodySchema, gateSchema } from "@tapedeck/contract/gate.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { decideJobGate } from "#lib/test-results/gate.ts";

export const POST = route(
	{
		operationId: "decideGate",
		summary: "Decide whether the failures of a job's tests are all known, so that CI passes",
		permission: "jobs:write",
		audit: { none: "The job's history says what was let through." },
		params: pathIds("jobId"),
		body: gateBodySchema,
		answers: { 200: gateSchema },
	},
	({ ctx, params, body }) => decideJobGate(ctx, params.jobId, body),
);
