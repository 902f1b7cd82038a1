import * as z from "zod";
import { createRecordingMarkerBodySchema, markerPageSchema, markerSchema } from "#lib/contract/marker.ts";
import { assertMayWrite } from "#lib/core/access.ts";
import { createRecordingMarker, listRecordingMarkers } from "#lib/recordings/recording-markers.ts";
import { pathId, route } from "#lib/server/route.ts";

const params = z.object({ recordingId: pathId });

export const GET = route(
	{
		summary: "The named moments of a recording.",
		scope: "recordings:read",
		params,
		answers: { 200: markerPageSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await listRecordingMarkers(ctx, params.recordingId) }),
);

export const POST = route(
	{
		summary: "Name a moment of a recording, by its seconds from the beginning.",
		scope: "recordings:write",
		audit: { none: "Markers are notes on a recording, shown with it." },
		params,
		authorize: assertMayWrite,
		body: createRecordingMarkerBodySchema,
		answers: { 201: markerSchema },
	},
	async ({ ctx, params, body }) => ({
		status: 201,
		body: await createRecordingMarker(ctx, params.recordingId, body),
	}),
);
