import { trackListSchema } from "@tapedeck/contract/track.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { listTracks } from "#lib/recordings/tracks/track-store.ts";

export const GET = route(
	{
		operationId: "listTracks",
		summary: "List the tracks of a job's recording: timed lines, such as its log",
		permission: "jobs:read",
		params: pathIds("jobId"),
		refusals: ["gone"],
		answers: { 200: trackListSchema },
	},
	({ ctx, params }) => listTracks(ctx, params.jobId),
);
