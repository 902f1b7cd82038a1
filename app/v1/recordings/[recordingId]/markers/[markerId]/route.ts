import { pathIds, route } from "#lib/http/route.ts";
import { deleteRecordingMarker } from "#lib/recordings/recording-markers.ts";

export const DELETE = route(
	{
		operationId: "deleteRecordingMarker",
		summary: "Delete a marker",
		permission: "recordings:write",
		audit: { none: "Markers are notes, shown with the recording." },
		params: pathIds("recordingId", "markerId"),
		answers: { 204: null },
	},
	({ ctx, params }) => deleteRecordingMarker(ctx, params.recordingId, params.markerId),
);
