import { recordingSchema, uploadRecordingQuerySchema } from "#lib/contract/recording.ts";
import { uploadRecording } from "#lib/recordings/upload/upload-recording.ts";
import { STORAGE_REFUSALS } from "#lib/server/route-definition.ts";
import { stream } from "#lib/server/stream.ts";

export const POST = stream(
	{
		summary: "Upload a video that was recorded elsewhere; the body is the MP4 or WebM file",
		permission: "recordings:write",
		audit: ["recording.uploaded"],
		fileBody: true,
		query: uploadRecordingQuerySchema,
		refusals: STORAGE_REFUSALS,
		answers: { 201: recordingSchema },
	},
	async ({ ctx, query, req, res }) => {
		const recording = await uploadRecording(ctx, query.name, req);
		const body = JSON.stringify(recording);
		res.writeHead(201, {
			"content-type": "application/json",
			"content-length": Buffer.byteLength(body),
			"cache-control": "no-store",
			location: `/v1/recordings/${recording.id}`,
		});
		res.end(body);
	},
);
