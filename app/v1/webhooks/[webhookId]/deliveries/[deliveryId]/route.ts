import { wholeDeliverySchema } from "@tapedeck/contract/webhook.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { readDelivery } from "#lib/webhooks/deliveries.ts";

export const GET = route(
	{
		operationId: "getWebhookDelivery",
		summary: "Get a delivery with what was sent and the beginning of the answer",
		permission: "settings:write",
		params: pathIds("webhookId", "deliveryId"),
		answers: { 200: wholeDeliverySchema },
	},
	({ ctx, params }) => readDelivery(ctx, params.webhookId, params.deliveryId),
);
