import {
	appendedHeaders,
	appendHeaders,
	tusHeaders,
	uploadFeaturesHeaders,
	uploadOffsetHeaders,
} from "@tapedeck/contract/headers.ts";
import * as z from "zod";
import { STORAGE_REFUSALS } from "#lib/http/route-definition.ts";
import { type StreamCall, stream } from "#lib/http/stream.ts";

const UPLOAD_ID = /^[a-z0-9-]{1,64}$/;
const params = z.object({ uploadId: z.string().regex(UPLOAD_ID) });
const files = ({ params: { uploadId = "" } }: { params: Record<string, string> }) =>
	UPLOAD_ID.test(uploadId) ? { uploadId } : null;
const upload = { permission: "recordings:upload", plainRefusals: true, params, files } as const;

const receive = ({ ctx, app, req, res }: Pick<StreamCall, "ctx" | "app" | "req" | "res">) =>
	app.uploads.receive(ctx, req, res);

export const OPTIONS = stream(
	{
		operationId: "getUploadFeaturesOf",
		...upload,
		summary: "List the supported tus 1.0 features of an upload",
		answerHeaders: uploadFeaturesHeaders,
		answers: { 204: null },
	},
	receive,
);

export const HEAD = stream(
	{
		operationId: "getUploadOffset",
		...upload,
		summary: "Get the offset of an upload (tus 1.0)",
		requestHeaders: tusHeaders,
		answerHeaders: uploadOffsetHeaders,
		answers: { 200: null },
	},
	receive,
);

export const PATCH = stream(
	{
		operationId: "appendToUpload",
		...upload,
		measuredAs: "piece",
		summary: "Append to an upload (tus 1.0)",
		audit: ["recording.uploaded"],
		fileBody: true,
		fileTypes: ["application/offset+octet-stream"],
		requestHeaders: appendHeaders,
		answerHeaders: appendedHeaders,
		refusals: STORAGE_REFUSALS,
		answers: { 204: null },
	},
	receive,
);

export const DELETE = stream(
	{
		operationId: "cancelUpload",
		...upload,
		summary: "Cancel an upload and delete what was sent (tus 1.0: termination)",
		requestHeaders: tusHeaders,
		answerHeaders: tusHeaders,
		audit: { none: "An unfinished upload is not a recording yet." },
		answers: { 204: null },
	},
	receive,
);
