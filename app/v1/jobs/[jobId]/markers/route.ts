import { createMarkerBodySchema, markerPageSchema, markerSchema } from "@tapedeck/contract/marker.ts";
import { pageQuerySchema } from "@tapedeck/contract/page.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { createMarker, listMarkers } from "#lib/jobs/markers.ts";
import { assertQuotaLeft } from "#lib/recordings/space/storage-quota.ts";

const params = pathIds("jobId");

export const GET = route(
	{
		operationId: "listJobMarkers",
		summary: "List the markers of a job's recording",
		permission: "jobs:read",
		params,
		query: pageQuerySchema,
		answers: { 200: markerPageSchema },
	},
	({ ctx, params, query }) => listMarkers(ctx, params.jobId, query),
);

export const POST = route(
	{
		operationId: "createJobMarker",
		summary: "Add a marker to a job's recording, now or at another time",
		permission: "jobs:write",
		audit: { none: "Markers are notes, shown with the recording." },
		params,
		body: createMarkerBodySchema,
		refusals: ["quota_exceeded"],
		answers: { 201: markerSchema },
	},
	async ({ ctx, params, body }) => {
		await assertQuotaLeft(ctx);
		return createMarker(ctx, params.jobId, body);
	},
);
