import { createRecordingMarkersBodySchema, markerListSchema } from "@tapedeck/contract/marker.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { createRecordingMarkers } from "#lib/recordings/recording-markers.ts";
import { assertQuotaLeft } from "#lib/recordings/space/storage-quota.ts";

export const POST = route(
	{
		operationId: "createRecordingMarkers",
		summary: "Add many markers to a recording: all, or none if one is not valid",
		permission: "recordings:write",
		audit: { none: "Markers are notes, shown with the recording." },
		params: pathIds("recordingId"),
		body: createRecordingMarkersBodySchema,
		refusals: ["quota_exceeded"],
		answers: { 201: markerListSchema },
	},
	async ({ ctx, params, body }) => {
		await assertQuotaLeft(ctx);
		return { data: await createRecordingMarkers(ctx, params.recordingId, body.markers) };
	},
);
