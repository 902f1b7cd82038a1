import { FILE_TYPES } from "@tapedeck/contract/attachment-kinds.ts";
import { fileHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { signatureParams } from "@tapedeck/contract/link.ts";
import { videoQuerySchema } from "@tapedeck/contract/recording.ts";
import { bySignature } from "#lib/http/link-access.ts";
import { filesOfRecording, pathIds } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveVideo } from "#lib/recordings/playback/serve-video.ts";

export const GET = stream(
	{
		operationId: "getRecordingVideo",
		summary: "Play or download a recording, or the file of another kind; supports Range, ETag and HEAD",
		permission: "recordings:read",
		download: true,
		byLink: bySignature("video"),
		rateLimit: false,
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: videoQuerySchema.extend(signatureParams),
		requestHeaders: rangeHeaders,
		answerHeaders: fileHeaders,
		answers: { 200: FILE_TYPES, 206: FILE_TYPES, 304: null, 416: null },
	},
	({ ctx, params, query, req, res }) =>
		serveVideo(ctx, { recordingId: params.recordingId, download: query.download === "1", req, res }),
);
