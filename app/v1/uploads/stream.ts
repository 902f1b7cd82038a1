import { createUploadHeaders, uploadCreatedHeaders, uploadFeaturesHeaders } from "@tapedeck/contract/headers.ts";
import { STORAGE_REFUSALS } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { jobOfMetadata } from "#lib/recordings/upload/upload-metadata.ts";

export const OPTIONS = stream(
	{
		operationId: "getUploadFeatures",
		summary: "List the supported tus 1.0 features",
		permission: "recordings:upload",
		plainRefusals: true,
		answerHeaders: uploadFeaturesHeaders,
		answers: { 204: null },
	},
	({ ctx, app, req, res }) => app.uploads.receive(ctx, req, res),
);

export const POST = stream(
	{
		operationId: "createUpload",
		summary: "Create an upload (tus 1.0: creation, creation-with-upload, creation-defer-length)",
		permission: "recordings:upload",
		audit: ["recording.uploaded"],
		fileBody: true,
		files: ({ headers }) => jobOfMetadata(headers["upload-metadata"]),
		plainRefusals: true,
		refusals: STORAGE_REFUSALS,
		fileTypes: ["application/offset+octet-stream"],
		requestHeaders: createUploadHeaders,
		answerHeaders: uploadCreatedHeaders,
		answers: { 201: null },
	},
	({ ctx, app, req, res }) => app.uploads.receive(ctx, req, res),
);
