import { deletedRecordingSchema } from "@tapedeck/contract/deleted-recording.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { purgeRecording, readDeleted } from "#lib/recordings/deletion.ts";

const params = pathIds("recordingId");

export const GET = route(
	{
		operationId: "getDeletedRecording",
		summary: "Get what is known of a deleted recording",
		permission: "recordings:read",
		params,
		answers: { 200: deletedRecordingSchema },
	},
	({ ctx, params }) => readDeleted(ctx, params.recordingId),
);

export const DELETE = route(
	{
		operationId: "purgeDeletedRecording",
		summary: "Remove the video of a deleted recording now; it can't be restored any more",
		permission: "recordings:write",
		audit: ["recording.purged"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => purgeRecording(ctx, params.recordingId),
);
