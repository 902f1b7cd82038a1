import { CLIP_TYPES } from "@tapedeck/contract/clip.ts";
import { fileHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { shareTokenParams } from "@tapedeck/contract/link.ts";
import { proofQuerySchema } from "@tapedeck/contract/proof.ts";
import { byShareToken, linkedRecording } from "#lib/http/link-access.ts";
import { filesOfShared } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveProof } from "#lib/test-results/serve-proof.ts";

const TYPES = Object.values(CLIP_TYPES);

export const GET = stream(
	{
		operationId: "getSharedProof",
		summary: "Get the review cut of a shared recording, if its link includes it",
		permission: "public",
		download: true,
		byLink: byShareToken("proof"),
		rateLimit: false,
		params: shareTokenParams,
		files: filesOfShared,
		query: proofQuerySchema.pick({ format: true }),
		requestHeaders: rangeHeaders,
		answerHeaders: fileHeaders,
		refusals: ["conflict", "invalid_video", "unavailable"],
		answers: { 200: TYPES, 206: TYPES, 304: null, 416: null },
	},
	({ ctx, query, req, res, signal }) =>
		serveProof(ctx, { ...proofQuerySchema.parse(query), recordingId: linkedRecording(ctx.actor), req, res, signal }),
);
