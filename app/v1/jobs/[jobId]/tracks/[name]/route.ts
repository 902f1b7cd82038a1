import { readTrackQuerySchema, trackLinePageSchema, trackNameSchema } from "@tapedeck/contract/track.ts";
import * as z from "zod";
import { pathId, route } from "#lib/http/route.ts";
import { readTrack } from "#lib/recordings/tracks/read-track.ts";

export const GET = route(
	{
		operationId: "readTrack",
		summary: "Read lines of a track by time: a stretch of it, those that contain a text, or those of a level",
		permission: "jobs:read",
		params: z.object({ jobId: pathId, name: trackNameSchema }),
		query: readTrackQuerySchema,
		refusals: ["gone"],
		answers: { 200: trackLinePageSchema },
	},
	({ ctx, params, query }) => readTrack(ctx, params.jobId, params.name, query),
);
