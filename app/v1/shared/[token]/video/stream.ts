import { FILE_TYPES } from "@tapedeck/contract/attachment-kinds.ts";
import { fileHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { shareTokenParams } from "@tapedeck/contract/link.ts";
import { videoQuerySchema } from "@tapedeck/contract/recording.ts";
import { byShareToken, linkedRecording } from "#lib/http/link-access.ts";
import { filesOfShared } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveVideo } from "#lib/recordings/playback/serve-video.ts";

export const GET = stream(
	{
		operationId: "getSharedVideo",
		summary: "Play or download a shared recording, or the file of another kind; supports Range, ETag and HEAD",
		permission: "public",
		download: true,
		byLink: byShareToken("page"),
		rateLimit: false,
		params: shareTokenParams,
		files: filesOfShared,
		query: videoQuerySchema,
		requestHeaders: rangeHeaders,
		answerHeaders: fileHeaders,
		answers: { 200: FILE_TYPES, 206: FILE_TYPES, 304: null, 416: null },
	},
	({ ctx, query, req, res }) =>
		serveVideo(ctx, { recordingId: linkedRecording(ctx.actor), download: query.download === "1", req, res }),
);
