import { coverageQuerySchema, coverageSchema } from "@tapedeck/contract/session.ts";
import { route } from "#lib/http/route.ts";
import { readCoverage } from "#lib/recordings/coverage.ts";

export const GET = route(
	{
		operationId: "getCoverage",
		summary: "Count the grid's sessions that runners saw, and list those that were not recorded, with the reason",
		permission: "recordings:read",
		query: coverageQuerySchema,
		answers: { 200: coverageSchema },
	},
	({ ctx, query }) => readCoverage(ctx, query),
);
