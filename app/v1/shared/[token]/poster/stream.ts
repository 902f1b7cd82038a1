import { fileHeaders } from "@tapedeck/contract/headers.ts";
import { shareTokenParams } from "@tapedeck/contract/link.ts";
import { posterSizeQuerySchema } from "@tapedeck/contract/recording.ts";
import { byShareToken, linkedRecording } from "#lib/http/link-access.ts";
import { filesOfShared } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { servePoster } from "#lib/recordings/pictures/poster.ts";

export const GET = stream(
	{
		operationId: "getSharedPoster",
		summary: "Get a shared recording's poster as JPEG; size=full returns its first frame at full size",
		permission: "public",
		byLink: byShareToken("page"),
		rateLimit: false,
		params: shareTokenParams,
		files: filesOfShared,
		query: posterSizeQuerySchema,
		answerHeaders: fileHeaders,
		answers: { 200: ["image/jpeg"], 304: null },
	},
	({ ctx, query, req, res, signal }) =>
		servePoster(ctx, { recordingId: linkedRecording(ctx.actor), full: query.size === "full", req, res, signal }),
);
