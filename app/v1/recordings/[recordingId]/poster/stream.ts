import { fileHeaders } from "@tapedeck/contract/headers.ts";
import { signatureParams } from "@tapedeck/contract/link.ts";
import { posterSizeQuerySchema } from "@tapedeck/contract/recording.ts";
import { bySignature } from "#lib/http/link-access.ts";
import { filesOfRecording, pathIds } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { servePoster } from "#lib/recordings/pictures/poster.ts";

export const GET = stream(
	{
		operationId: "getRecordingPoster",
		summary: "Get a recording's poster as JPEG; size=full returns its first frame at full size",
		permission: "recordings:read",
		byLink: bySignature("poster"),
		rateLimit: false,
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: posterSizeQuerySchema.extend(signatureParams),
		answerHeaders: fileHeaders,
		answers: { 200: ["image/jpeg"], 304: null },
	},
	({ ctx, params, query, req, res, signal }) =>
		servePoster(ctx, { recordingId: params.recordingId, full: query.size === "full", req, res, signal }),
);
