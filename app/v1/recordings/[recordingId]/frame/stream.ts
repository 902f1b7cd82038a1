import { conditionalHeaders, fileHeaders } from "@tapedeck/contract/headers.ts";
import { frameQuerySchema } from "@tapedeck/contract/recording.ts";
import { filesOfRecording, pathIds } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveFrame } from "#lib/recordings/pictures/storyboard.ts";

export const GET = stream(
	{
		operationId: "getRecordingFrame",
		summary:
			"Get a frame of a recording as JPEG: the last storyboard frame at or before a time in seconds, or with of=failure the one that shows the failure; with width the very frame of the video, in up to its own size",
		permission: "recordings:read",
		rateLimit: false,
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: frameQuerySchema,
		requestHeaders: conditionalHeaders,
		answerHeaders: fileHeaders,
		answers: { 200: ["image/jpeg"], 304: null },
	},
	({ ctx, params, query, req, res, signal }) =>
		serveFrame(ctx, { recordingId: params.recordingId, ...query, req, res, signal }),
);
