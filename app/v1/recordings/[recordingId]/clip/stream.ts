import { CLIP_TYPES, clipQuerySchema } from "@tapedeck/contract/clip.ts";
import { clipHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { filesOfRecording, pathIds } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveClip } from "#lib/test-results/serve-clip.ts";

const TYPES = Object.values(CLIP_TYPES);

export const GET = stream(
	{
		operationId: "getRecordingClip",
		summary: "Get a stretch of a recording as a small MP4 or GIF that plays everywhere",
		permission: "recordings:read",
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: clipQuerySchema,
		requestHeaders: rangeHeaders,
		answerHeaders: clipHeaders,
		refusals: ["invalid_video", "unavailable"],
		answers: { 200: TYPES, 206: TYPES, 304: null, 416: null },
	},
	({ ctx, params, query, req, res, signal }) =>
		serveClip(ctx, { recordingId: params.recordingId, ...query, req, res, signal }),
);
