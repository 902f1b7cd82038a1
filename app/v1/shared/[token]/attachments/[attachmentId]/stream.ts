import { SERVED_TYPES } from "@tapedeck/contract/attachment-kinds.ts";
import { fileHeaders, rangeHeaders } from "@tapedeck/contract/headers.ts";
import { SHARE_TOKEN } from "@tapedeck/contract/link.ts";
import { videoQuerySchema } from "@tapedeck/contract/recording.ts";
import * as z from "zod";
import { byShareToken, linkedRecording } from "#lib/http/link-access.ts";
import { filesOfAttachment, pathId } from "#lib/http/route-definition.ts";
import { stream } from "#lib/http/stream.ts";
import { serveAttachment } from "#lib/test-results/serve-attachment.ts";
import { assertShared } from "#lib/test-results/shared-tests.ts";

export const GET = stream(
	{
		operationId: "getSharedAttachment",
		summary:
			"Read an attachment of a shared recording's tests, if its link includes them; supports Range, ETag and HEAD",
		permission: "public",
		download: true,
		byLink: byShareToken("attachments"),
		rateLimit: false,
		params: z.object({ token: z.string().regex(SHARE_TOKEN), attachmentId: pathId }),
		files: filesOfAttachment,
		query: videoQuerySchema,
		requestHeaders: rangeHeaders,
		answerHeaders: fileHeaders,
		answers: { 200: SERVED_TYPES, 206: SERVED_TYPES, 304: null, 416: null },
	},
	async ({ ctx, params: { attachmentId }, query, req, res }) => {
		await assertShared(ctx, linkedRecording(ctx.actor), attachmentId);
		await serveAttachment(ctx, { attachmentId, download: query.download === "1", req, res });
	},
);
