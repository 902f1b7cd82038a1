import { storyboardSchema } from "@tapedeck/contract/recording.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { filesOfRecording } from "#lib/http/route-definition.ts";
import { getStoryboard } from "#lib/recordings/pictures/storyboard.ts";

export const GET = route(
	{
		operationId: "getStoryboard",
		summary: "List the times of a recording's storyboard frames; get each with frame?at=",
		permission: "recordings:read",
		params: pathIds("recordingId"),
		files: filesOfRecording,
		answers: { 200: storyboardSchema },
	},
	({ ctx, params }) => getStoryboard(ctx, params.recordingId),
);
