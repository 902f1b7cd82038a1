import * as z from "zod";
import { createMarkerBodySchema, markerPageSchema, markerSchema } from "#lib/contract/marker.ts";
import { assertMayWrite } from "#lib/core/access.ts";
import { createMarker, listMarkers } from "#lib/jobs/markers.ts";
import { pathId, route } from "#lib/server/route.ts";

const params = z.object({ jobId: pathId });

export const GET = route(
	{
		summary: "The named moments of a job's recording.",
		scope: "jobs:read",
		params,
		answers: { 200: markerPageSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await listMarkers(ctx, params.jobId) }),
);

export const POST = route(
	{
		summary: "Name a moment of the recording; now, when no other is given.",
		scope: "jobs:write",
		audit: { none: "Markers are notes on a recording, shown with it." },
		params,
		authorize: assertMayWrite,
		body: createMarkerBodySchema,
		answers: { 201: markerSchema },
	},
	async ({ ctx, params, body }) => ({ status: 201, body: await createMarker(ctx, params.jobId, body) }),
);
