import { SERVED_TYPES } from "@tapedeck/contract/attachment-kinds.ts";
import { fileHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { signatureParams } from "@tapedeck/contract/link.ts";
import { videoQuerySchema } from "@tapedeck/contract/recording.ts";
import { filesOfAttachment, pathIds } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveAttachment } from "#lib/test-results/serve-attachment.ts";
import { byAttachmentSignature } from "#lib/test-results/signed-attachment.ts";

export const GET = stream(
	{
		operationId: "getAttachment",
		summary: "Get the bytes of an attachment; supports Range, ETag and HEAD",
		permission: "recordings:read",
		download: true,
		rateLimit: false,
		byLink: byAttachmentSignature,
		params: pathIds("attachmentId"),
		files: filesOfAttachment,
		query: videoQuerySchema.extend(signatureParams),
		requestHeaders: rangeHeaders,
		answerHeaders: fileHeaders,
		answers: { 200: SERVED_TYPES, 206: SERVED_TYPES, 304: null, 416: null },
	},
	({ ctx, params, query, req, res }) =>
		serveAttachment(ctx, { attachmentId: params.attachmentId, download: query.download === "1", req, res }),
);
