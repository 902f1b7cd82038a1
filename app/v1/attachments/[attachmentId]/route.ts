import { pathIds, route } from "#lib/http/route.ts";
import { deleteAttachment } from "#lib/test-results/attachments.ts";

export const DELETE = route(
	{
		operationId: "deleteAttachment",
		summary: "Delete an attachment of a test result or a test run, for good",
		permission: "recordings:write",
		audit: ["attachment.deleted"],
		params: pathIds("attachmentId"),
		answers: { 204: null },
	},
	({ ctx, params }) => deleteAttachment(ctx, params.attachmentId),
);
