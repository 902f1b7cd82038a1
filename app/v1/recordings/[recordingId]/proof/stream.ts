import { CLIP_TYPES } from "@tapedeck/contract/clip.ts";
import { fileHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { proofQuerySchema } from "@tapedeck/contract/proof.ts";
import { filesOfRecording, pathIds } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveProof } from "#lib/test-results/serve-proof.ts";

const TYPES = Object.values(CLIP_TYPES);

export const GET = stream(
	{
		operationId: "getRecordingProof",
		summary:
			"Get a review cut of a recording: all that changed in a minute, with its markers as captions, the failure last",
		permission: "recordings:read",
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: proofQuerySchema,
		requestHeaders: rangeHeaders,
		answerHeaders: fileHeaders,
		refusals: ["conflict", "invalid_video", "unavailable"],
		answers: { 200: TYPES, 206: TYPES, 304: null, 416: null },
	},
	({ ctx, params, query, req, res, signal }) => serveProof(ctx, { ...params, ...query, req, res, signal }),
);
