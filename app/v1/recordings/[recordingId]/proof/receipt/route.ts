import { proofQuerySchema } from "@tapedeck/contract/proof.ts";
import { receiptSchema } from "@tapedeck/contract/receipt.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { filesOfRecording } from "#lib/http/route-definition.ts";
import { readReceipt } from "#lib/test-results/receipt.ts";

export const GET = route(
	{
		operationId: "getRecordingReceipt",
		summary:
			"Get a signed receipt of a recording and its review cut: who recorded what, what is left out, and how the outcome is known",
		permission: "recordings:read",
		params: pathIds("recordingId"),
		files: filesOfRecording,
		query: proofQuerySchema,
		refusals: ["conflict", "invalid_video", "unavailable"],
		answers: { 200: receiptSchema },
	},
	({ app, ctx, params, query, signal }) => readReceipt(ctx, app.receipts, { ...query, ...params, signal }),
);
