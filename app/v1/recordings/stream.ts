import { locationHeader } from "@tapedeck/contract/headers.ts";
import { recordingSchema, uploadRecordingQuerySchema, VIDEO_TYPES } from "@tapedeck/contract/recording.ts";
import { STORAGE_REFUSALS } from "#lib/http/route-definition.ts";
import { sendJson, stream } from "#lib/http/stream.ts";
import { uploadRecording } from "#lib/recordings/upload/upload-recording.ts";

export const POST = stream(
	{
		operationId: "uploadRecording",
		summary: "Upload a video that was recorded elsewhere, or with kind another file; the body is the file",
		permission: "recordings:write",
		audit: ["recording.uploaded"],
		fileBody: true,
		fileTypes: [...VIDEO_TYPES, "application/octet-stream"],
		query: uploadRecordingQuerySchema,
		answerHeaders: locationHeader,
		refusals: STORAGE_REFUSALS,
		answers: { 201: recordingSchema },
	},
	async ({ ctx, query, req, res }) => {
		const recording = await uploadRecording(ctx, query, req);
		sendJson(res, 201, recording, { location: `/v1/recordings/${recording.id}` });
	},
);
