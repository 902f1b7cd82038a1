import { createMarkersBodySchema, markerListSchema } from "@tapedeck/contract/marker.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { createMarkers } from "#lib/jobs/markers.ts";
import { assertQuotaLeft } from "#lib/recordings/space/storage-quota.ts";

export const POST = route(
	{
		operationId: "createJobMarkers",
		summary: "Add many markers to a job's recording: all, or none if one is not valid",
		permission: "jobs:write",
		audit: { none: "Markers are notes, shown with the recording." },
		params: pathIds("jobId"),
		body: createMarkersBodySchema,
		refusals: ["quota_exceeded"],
		answers: { 201: markerListSchema },
	},
	async ({ ctx, params, body }) => {
		await assertQuotaLeft(ctx);
		return { data: await createMarkers(ctx, params.jobId, body.markers) };
	},
);
