import { changeRecordingBodySchema, recordingSchema } from "@tapedeck/contract/recording.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { changeRecording } from "#lib/recordings/change-recording.ts";
import { deleteRecording } from "#lib/recordings/deletion.ts";
import { readRecording } from "#lib/recordings/list-recordings.ts";

const params = pathIds("recordingId");

export const GET = route(
	{
		operationId: "getRecording",
		summary: "Get a recording",
		permission: "recordings:read",
		params,
		answers: { 200: recordingSchema },
	},
	({ ctx, params }) => readRecording(ctx, params.recordingId),
);

export const PATCH = route(
	{
		operationId: "updateRecording",
		summary: "Change a recording's name, labels (merged; null removes one), outcome, keep policy or pin",
		permission: "recordings:write",
		audit: ["recording.renamed", "recording.changed", "recording.kept", "recording.pinned", "recording.unpinned"],
		params,
		body: changeRecordingBodySchema,
		answers: { 200: recordingSchema },
	},
	({ ctx, params, body }) => changeRecording(ctx, params.recordingId, body),
);

export const DELETE = route(
	{
		operationId: "deleteRecording",
		summary: "Delete a recording; it can be restored for as long as the retention policy keeps its trash",
		permission: "recordings:write",
		audit: ["recording.deleted"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => deleteRecording(ctx, params.recordingId),
);
