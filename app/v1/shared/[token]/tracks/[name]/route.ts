import { SHARE_TOKEN } from "@tapedeck/contract/link.ts";
import { readTrackQuerySchema, trackLinePageSchema, trackNameSchema } from "@tapedeck/contract/track.ts";
import * as z from "zod";
import { followShareLink } from "#lib/http/link-access.ts";
import { route } from "#lib/http/route.ts";
import { readSharedTrack } from "#lib/recordings/tracks/shared-tracks.ts";

export const GET = route(
	{
		operationId: "readSharedTrack",
		summary: "Read lines of a track of a shared recording, as readTrack does, if its link includes tracks",
		permission: "public",
		params: z.object({ token: z.string().regex(SHARE_TOKEN), name: trackNameSchema }),
		query: readTrackQuerySchema,
		refusals: ["gone"],
		answers: { 200: trackLinePageSchema },
	},
	async ({ app, params, query }) => {
		const { ctx, recordingId } = await followShareLink(app, params.token, "tracks");
		return readSharedTrack(ctx, recordingId, params.name, query);
	},
);
