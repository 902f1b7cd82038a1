import { pathIds, route } from "#lib/http/route.ts";
import { deleteMarker } from "#lib/jobs/markers.ts";

export const DELETE = route(
	{
		operationId: "deleteJobMarker",
		summary: "Delete a marker",
		permission: "jobs:write",
		audit: { none: "Markers are notes, shown with the recording." },
		params: pathIds("jobId", "markerId"),
		answers: { 204: null },
	},
	({ ctx, params }) => deleteMarker(ctx, params.jobId, params.markerId),
);
