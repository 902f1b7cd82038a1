import { wholeDeliverySchema } from "@tapedeck/contract/webhook.ts";
import * as z from "zod";
import { pathId, route } from "#lib/http/route.ts";
import { readDelivery } from "#lib/webhooks/deliveries.ts";

export const GET = route(
	{
		operationId: "getWebhookDelivery",
		summary: "Get a delivery with what was sent and the beginning of the answer",
		permission: "settings:write",
		params: z.object({ webhookId: pathId, deliveryId: pathId }),
		answers: { 200: wholeDeliverySchema },
	},
	({ ctx, params }) => readDelivery(ctx, params.webhookId, params.deliveryId),
);
