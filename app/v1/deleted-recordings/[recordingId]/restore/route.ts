import { recordingSchema } from "@tapedeck/contract/recording.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { restoreRecording } from "#lib/recordings/deletion.ts";

export const POST = route(
	{
		operationId: "restoreRecording",
		summary: "Restore a deleted recording; one that retention deleted is pinned, so that it stays",
		permission: "recordings:write",
		audit: ["recording.restored"],
		params: pathIds("recordingId"),
		refusals: ["conflict"],
		answers: { 200: recordingSchema },
	},
	({ ctx, params }) => restoreRecording(ctx, params.recordingId),
);
