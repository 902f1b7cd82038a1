import { lastPassedSchema } from "@tapedeck/contract/failure.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { readLastPassed } from "#lib/recordings/last-passed.ts";

export const GET = route(
	{
		operationId: "getLastPassed",
		summary: "Find the last recording of the same test that passed before this one",
		permission: "recordings:read",
		params: pathIds("recordingId"),
		answers: { 200: lastPassedSchema },
	},
	({ ctx, params }) => readLastPassed(ctx, params.recordingId),
);
