import { deliverySchema } from "@tapedeck/contract/webhook.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { sendAgain } from "#lib/webhooks/deliveries.ts";

export const POST = route(
	{
		operationId: "resendWebhookDelivery",
		summary: "Send the same message again, as a new delivery, also while the webhook is paused",
		permission: "settings:write",
		audit: ["webhook.delivery_repeated"],
		params: pathIds("webhookId", "deliveryId"),
		answers: { 201: deliverySchema },
	},
	({ ctx, params }) => sendAgain(ctx, params.webhookId, params.deliveryId),
);
