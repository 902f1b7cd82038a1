import * as z from "zod";
import { pinRecordingBodySchema, recordingSchema } from "#lib/contract/recording.ts";
import { assertMayWrite } from "#lib/core/access.ts";
import { deleteRecording } from "#lib/recordings/delete-recording.ts";
import { pinRecording } from "#lib/recordings/pin-recording.ts";
import { readRecording } from "#lib/recordings/read-recording.ts";
import { pathId, route } from "#lib/server/route.ts";

const params = z.object({ recordingId: pathId });

export const GET = route(
	{ summary: "Read a recording.", scope: "recordings:read", params, answers: { 200: recordingSchema } },
	async ({ ctx, params }) => ({ status: 200, body: await readRecording(ctx, params.recordingId) }),
);

export const PATCH = route(
	{
		summary: "Pin a recording, so that retention keeps it, or let it go again.",
		scope: "recordings:write",
		audit: ["recording.pinned", "recording.unpinned"],
		params,
		authorize: assertMayWrite,
		body: pinRecordingBodySchema,
		answers: { 200: recordingSchema },
	},
	async ({ ctx, params, body }) => ({ status: 200, body: await pinRecording(ctx, params.recordingId, body.pinned) }),
);

export const DELETE = route(
	{
		summary: "Delete a recording and its video.",
		scope: "recordings:write",
		audit: ["recording.deleted"],
		params,
		answers: { 204: null },
	},
	async ({ ctx, params }) => {
		await deleteRecording(ctx, params.recordingId);
		return { status: 204 };
	},
);
