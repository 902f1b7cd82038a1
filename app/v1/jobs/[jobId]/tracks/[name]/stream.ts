import { appendedTrackSchema, appendTrackQuerySchema, NDJSON, trackNameSchema } from "@tapedeck/contract/track.ts";
import * as z from "zod";
import { pathId, STORAGE_REFUSALS } from "#lib/http/route-definition.ts";
import { sendJson, stream } from "#lib/http/stream.ts";
import { appendToTrack } from "#lib/recordings/tracks/append-track.ts";

export const POST = stream(
	{
		operationId: "appendToTrack",
		summary: "Append lines to a track of a job's recording: a JSON object on each line, stored while they arrive",
		permission: "jobs:write",
		audit: { none: "Lines of a log, shown with the recording." },
		fileBody: true,
		fileTypes: [NDJSON],
		params: z.object({ jobId: pathId, name: trackNameSchema }),
		query: appendTrackQuerySchema,
		refusals: [...STORAGE_REFUSALS, "unsupported_media_type", "gone", "conflict"],
		answers: { 200: appendedTrackSchema },
	},
	async ({ ctx, params, query, req, res }) =>
		sendJson(res, 200, await appendToTrack(ctx, { ...params, ...query, req })),
);
