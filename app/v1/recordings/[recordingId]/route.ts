import * as z from "zod";
import { pinRecordingBodySchema, recordingSchema } from "#lib/contract/recording.ts";
import { deleteRecording } from "#lib/recordings/delete-recording.ts";
import { readRecording } from "#lib/recordings/list-recordings.ts";
import { pinRecording } from "#lib/recordings/pin-recording.ts";
import { pathId, route } from "#lib/server/route.ts";

const params = z.object({ recordingId: pathId });

export const GET = route(
	{
		operationId: "getRecording",
		summary: "Get a recording",
		permission: "recordings:read",
		params,
		answers: { 200: recordingSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await readRecording(ctx, params.recordingId) }),
);

export const PATCH = route(
	{
		operationId: "updateRecording",
		summary: "Pin a recording, so that retention keeps it, or unpin it",
		permission: "recordings:write",
		audit: ["recording.pinned", "recording.unpinned"],
		params,
		body: pinRecordingBodySchema,
		answers: { 200: recordingSchema },
	},
	async ({ ctx, params, body }) => ({ status: 200, body: await pinRecording(ctx, params.recordingId, body.pinned) }),
);

export const DELETE = route(
	{
		operationId: "deleteRecording",
		summary: "Delete a recording and its video",
		permission: "recordings:write",
		audit: ["recording.deleted"],
		params,
		answers: { 204: null },
	},
	async ({ ctx, params }) => {
		await deleteRecording(ctx, params.recordingId);
		return { status: 204 };
	},
);
