import { conditionalHeaders, fileHeaders } from "@tapedeck/contract/headers.ts";
import { shareTokenParams } from "@tapedeck/contract/link.ts";
import { frameQuerySchema } from "@tapedeck/contract/recording.ts";
import { byShareToken, refuseParameters } from "#lib/http/link-access.ts";
import { filesOfShared } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveFrame } from "#lib/recordings/pictures/storyboard.ts";
import { frameOf, openShareLink } from "#lib/recordings/share-links.ts";

export const GET = stream(
	{
		operationId: "getSharedFrame",
		summary:
			"Get a frame of a shared recording as JPEG, as getRecordingFrame does; of a link that opens one frame, that frame, without parameters",
		permission: "public",
		byLink: byShareToken("frame"),
		rateLimit: false,
		params: shareTokenParams,
		files: filesOfShared,
		query: frameQuerySchema,
		requestHeaders: conditionalHeaders,
		answerHeaders: fileHeaders,
		answers: { 200: ["image/jpeg"], 304: null },
	},
	async ({ ctx, app, params, query, req, res, signal }) => {
		const { recordingId, shown } = await openShareLink(app, params.token, "frame");
		const isOne = shown.opens === "frame";
		if (isOne) refuseParameters(req);
		await serveFrame(ctx, { recordingId, ...(isOne ? frameOf(shown) : query), req, res, signal });
	},
);
