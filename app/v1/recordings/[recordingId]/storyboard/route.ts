import * as z from "zod";
import { storyboardSchema } from "#lib/contract/recording.ts";
import { getStoryboard } from "#lib/recordings/pictures/storyboard.ts";
import { pathId, route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "Read at which seconds there are pictures of a recording; ask for each with frame?at=.",
		scope: "recordings:read",
		params: z.object({ recordingId: pathId }),
		answers: { 200: storyboardSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await getStoryboard(ctx, params.recordingId) }),
);
