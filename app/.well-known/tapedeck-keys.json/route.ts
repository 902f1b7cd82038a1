import { receiptKeysSchema } from "@tapedeck/contract/receipt.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listReceiptKeys",
		summary: "List the public keys that verify receipts",
		permission: "public",
		answers: { 200: receiptKeysSchema },
	},
	async ({ app }) => app.receipts.publicKeys(),
);
