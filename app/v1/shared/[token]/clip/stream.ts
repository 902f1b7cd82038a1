import { CLIP_TYPES } from "@tapedeck/contract/clip.ts";
import { clipHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { shareTokenParams } from "@tapedeck/contract/link.ts";
import { byShareToken, refuseParameters } from "#lib/http/link-access.ts";
import { filesOfShared } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { clipOf, openShareLink } from "#lib/recordings/share-links.ts";
import { serveClip } from "#lib/test-results/serve-clip.ts";

const TYPES = Object.values(CLIP_TYPES);

export const GET = stream(
	{
		operationId: "getSharedClip",
		summary: "Get the clip that a share link opens, without parameters: the link says which it is",
		permission: "public",
		download: true,
		byLink: byShareToken("clip"),
		rateLimit: false,
		params: shareTokenParams,
		files: filesOfShared,
		requestHeaders: rangeHeaders,
		answerHeaders: clipHeaders,
		refusals: ["invalid_video", "unavailable"],
		answers: { 200: TYPES, 206: TYPES, 304: null, 416: null },
	},
	async ({ ctx, app, params, req, res, signal }) => {
		refuseParameters(req);
		const { recordingId, shown } = await openShareLink(app, params.token, "clip");
		await serveClip(ctx, { ...clipOf(shown), recordingId, req, res, signal });
	},
);
