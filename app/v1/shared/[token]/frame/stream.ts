import { conditionalHeaders, fileHeaders } from "@tapedeck/contract/headers.ts";
import { SHARE_TOKEN } from "@tapedeck/contract/link.ts";
import { frameQuerySchema } from "@tapedeck/contract/recording.ts";
import * as z from "zod";
import { byShareToken, linkedRecording } from "#lib/http/link-access.ts";
import { filesOfShared } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveFrame } from "#lib/recordings/pictures/storyboard.ts";

export const GET = stream(
	{
		operationId: "getSharedFrame",
		summary: "Get a frame of a shared recording as JPEG, as getRecordingFrame does",
		permission: "public",
		byLink: byShareToken,
		rateLimit: false,
		params: z.object({ token: z.string().regex(SHARE_TOKEN) }),
		files: filesOfShared,
		query: frameQuerySchema,
		requestHeaders: conditionalHeaders,
		answerHeaders: fileHeaders,
		answers: { 200: ["image/jpeg"], 304: null },
	},
	({ ctx, query, req, res, signal }) =>
		serveFrame(ctx, { recordingId: linkedRecording(ctx.actor), ...query, req, res, signal }),
);
