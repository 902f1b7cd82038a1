import { deliveryPageSchema, listDeliveriesQuerySchema } from "@tapedeck/contract/webhook.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { listDeliveries } from "#lib/webhooks/deliveries.ts";

export const GET = route(
	{
		operationId: "listWebhookDeliveries",
		summary: "List a webhook's deliveries of the last 30 days, newest first",
		permission: "settings:write",
		params: pathIds("webhookId"),
		query: listDeliveriesQuerySchema,
		answers: { 200: deliveryPageSchema },
	},
	({ ctx, params, query }) => listDeliveries(ctx, params.webhookId, query),
);
