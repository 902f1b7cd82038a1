import { shareTokenParams } from "@tapedeck/contract/link.ts";
import { proofQuerySchema } from "@tapedeck/contract/proof.ts";
import { receiptSchema } from "@tapedeck/contract/receipt.ts";
import { followShareLink } from "#lib/http/link-access.ts";
import { route } from "#lib/http/route.ts";
import { filesOfShared } from "#lib/http/route-definition.ts";
import { readReceipt } from "#lib/test-results/receipt.ts";

export const GET = route(
	{
		operationId: "getSharedReceipt",
		summary: "Get the signed receipt of a shared recording and its review cut, if its link includes them",
		permission: "public",
		params: shareTokenParams,
		files: filesOfShared,
		query: proofQuerySchema.pick({ format: true }),
		refusals: ["gone", "conflict", "invalid_video", "unavailable"],
		answers: { 200: receiptSchema },
	},
	async ({ app, params, query, signal }) => {
		const { ctx, recordingId } = await followShareLink(app, params.token, "proof");
		const call = { ...proofQuerySchema.parse(query), recordingId, signal };
		return readReceipt(ctx, app.receipts, call);
	},
);
