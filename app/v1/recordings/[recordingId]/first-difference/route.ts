import { firstDifferenceQuerySchema, firstDifferenceSchema } from "@tapedeck/contract/first-difference.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { filesOfRecording } from "#lib/http/route-definition.ts";
import { findFirstDifference } from "#lib/recordings/excerpts/first-difference.ts";

export const GET = route(
	{
		operationId: "getFirstDifference",
		summary: "Find the first moment at which a recording shows what another one does not, or the other way around",
		permission: "recordings:read",
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: firstDifferenceQuerySchema,
		refusals: ["unavailable"],
		answers: { 200: firstDifferenceSchema },
	},
	({ ctx, params, query, signal }) => findFirstDifference(ctx, { ...query, ...params, signal }),
);
