import { shareTokenParams } from "@tapedeck/contract/link.ts";
import { trackListSchema } from "@tapedeck/contract/track.ts";
import { followShareLink } from "#lib/http/link-access.ts";
import { route } from "#lib/http/route.ts";
import { listSharedTracks } from "#lib/recordings/tracks/shared-tracks.ts";

export const GET = route(
	{
		operationId: "listSharedTracks",
		summary: "List the tracks of a shared recording, if its link includes them",
		permission: "public",
		params: shareTokenParams,
		refusals: ["gone"],
		answers: { 200: trackListSchema },
	},
	async ({ app, params }) => {
		const { ctx, recordingId } = await followShareLink(app, params.token, "tracks");
		return listSharedTracks(ctx, recordingId);
	},
);
