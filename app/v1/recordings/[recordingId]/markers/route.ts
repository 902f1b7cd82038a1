import { createRecordingMarkerBodySchema, markerPageSchema, markerSchema } from "@tapedeck/contract/marker.ts";
import { pageQuerySchema } from "@tapedeck/contract/page.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { createRecordingMarker, listRecordingMarkers } from "#lib/recordings/recording-markers.ts";
import { assertQuotaLeft } from "#lib/recordings/space/storage-quota.ts";

const params = pathIds("recordingId");

export const GET = route(
	{
		operationId: "listRecordingMarkers",
		summary: "List the markers of a recording",
		permission: "recordings:read",
		params,
		query: pageQuerySchema,
		answers: { 200: markerPageSchema },
	},
	({ ctx, params, query }) => listRecordingMarkers(ctx, params.recordingId, query),
);

export const POST = route(
	{
		operationId: "createRecordingMarker",
		summary: "Add a marker to a recording, at an offset in seconds",
		permission: "recordings:write",
		audit: { none: "Markers are notes, shown with the recording." },
		params,
		body: createRecordingMarkerBodySchema,
		refusals: ["quota_exceeded"],
		answers: { 201: markerSchema },
	},
	async ({ ctx, params, body }) => {
		await assertQuotaLeft(ctx);
		return createRecordingMarker(ctx, params.recordingId, body);
	},
);
