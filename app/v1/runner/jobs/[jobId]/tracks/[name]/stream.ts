import { JOB_KEY_HEADER, SESSION_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { appendedTrackSchema, NDJSON, sendTrackQuerySchema, trackNameSchema } from "@tapedeck/contract/track.ts";
import * as z from "zod";
import { pathId, STORAGE_REFUSALS } from "#lib/http/route-definition.ts";
import { headerOf, sendJson, stream } from "#lib/http/stream.ts";
import { appendToHeldTrack } from "#lib/recordings/tracks/append-track.ts";

export const POST = stream(
	{
		operationId: "sendJobTrack",
		summary: "Append lines to a track of a job that the runner holds",
		permission: "runner:act",
		audit: { none: "Lines of a log, shown with the recording." },
		fileBody: true,
		fileTypes: [NDJSON],
		params: z.object({ jobId: pathId, name: trackNameSchema }),
		query: sendTrackQuerySchema,
		refusals: [...STORAGE_REFUSALS, "unsupported_media_type", "gone", "conflict"],
		answers: { 200: appendedTrackSchema },
	},
	async ({ ctx, params, query, req, res }) => {
		const runner = { sessionId: headerOf(req, SESSION_HEADER), jobKey: headerOf(req, JOB_KEY_HEADER) };
		sendJson(res, 200, await appendToHeldTrack(ctx, runner, { ...params, ...query, req }));
	},
);
