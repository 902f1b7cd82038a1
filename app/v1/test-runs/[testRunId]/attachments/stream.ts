import { addAttachmentQuerySchema, attachmentSchema } from "@tapedeck/contract/attachment.ts";
import { locationHeader } from "@tapedeck/contract/headers.ts";
import { pathIds, STORAGE_REFUSALS } from "#lib/http/route-definition.ts";
import { sendJson, stream } from "#lib/http/stream.ts";
import { attach } from "#lib/test-results/attachments.ts";

export const POST = stream(
	{
		operationId: "addTestRunAttachment",
		summary: "Attach a file to a test run; the body is the file, of at most 256 MiB, with its Content-Type",
		permission: "jobs:write",
		audit: { none: "Attachments are what tests did, not who did what." },
		fileBody: true,
		fileTypes: ["application/octet-stream"],
		params: pathIds("testRunId"),
		query: addAttachmentQuerySchema,
		answerHeaders: locationHeader,
		refusals: ["conflict", ...STORAGE_REFUSALS],
		answers: { 201: attachmentSchema },
	},
	async ({ ctx, params, query, req, res }) => {
		const attachment = await attach(ctx, { resultId: null, testRunId: params.testRunId }, { name: query.name, req });
		sendJson(res, 201, attachment, { location: `/v1/attachments/${attachment.id}` });
	},
);
