import { liveQuerySchema } from "@tapedeck/contract/recording.ts";
import { filesOfRecording, pathIds } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveLive } from "#lib/recordings/playback/serve-video.ts";

export const GET = stream(
	{
		operationId: "followRecording",
		summary: "Follow a recording live, as fragmented MP4 for Media Source Extensions",
		permission: "recordings:read",
		streaming: true,
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: liveQuerySchema,
		answers: { 200: ["video/mp4"] },
	},
	({ ctx, params, query, req, res, signal }) =>
		serveLive(ctx, { recordingId: params.recordingId, from: query.from, req, res, signal }),
);
