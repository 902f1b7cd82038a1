import { signedAttachmentQuerySchema, signedAttachmentSchema } from "@tapedeck/contract/attachment.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { signedAttachment } from "#lib/test-results/signed-attachment.ts";

export const GET = route(
	{
		operationId: "createAttachmentUrl",
		summary:
			"Create a signed URL of an attachment, which needs no credentials until it expires; of a trace, also one that opens it",
		permission: "recordings:read",
		audit: ["attachment.signed"],
		params: pathIds("attachmentId"),
		query: signedAttachmentQuerySchema,
		answers: { 200: signedAttachmentSchema },
	},
	({ ctx, app, params, query }) =>
		signedAttachment(ctx, { links: app.links, viewer: app.traceViewer }, params.attachmentId, query.expiresInSeconds),
);
