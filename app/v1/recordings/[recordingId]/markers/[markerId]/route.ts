import * as z from "zod";
import { deleteRecordingMarker } from "#lib/recordings/recording-markers.ts";
import { pathId, route } from "#lib/server/route.ts";

export const DELETE = route(
	{
		operationId: "deleteRecordingMarker",
		summary: "Delete a marker",
		permission: "recordings:write",
		audit: { none: "Markers are notes, shown with the recording." },
		params: z.object({ recordingId: pathId, markerId: pathId }),
		answers: { 204: null },
	},
	async ({ ctx, params }) => {
		await deleteRecordingMarker(ctx, params.recordingId, params.markerId);
		return { status: 204 };
	},
);
