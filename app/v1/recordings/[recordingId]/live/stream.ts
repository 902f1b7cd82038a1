import { liveQuerySchema } from "@tapedeck/contract/recording.ts";
import * as z from "zod";
import { filesOfRecording, pathId } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveLive } from "#lib/recordings/playback/serve-video.ts";

export const GET = stream(
	{
		operationId: "followRecording",
		summary: "Follow a recording live, as fragmented MP4 for Media Source Extensions",
		permission: "recordings:read",
		streaming: true,
		params: z.object({ recordingId: pathId }),
		files: filesOfRecording,
		query: liveQuerySchema,
		answers: { 200: ["video/mp4"] },
	},
	({ ctx, params, query, req, res, signal }) =>
		serveLive(ctx, { recordingId: params.recordingId, from: query.from, req, res, signal }),
);
