import { deliverySchema } from "@tapedeck/contract/webhook.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { sendTest } from "#lib/webhooks/deliveries.ts";

export const POST = route(
	{
		operationId: "testWebhook",
		summary: "Send a test event, signed like any other, also while the webhook is paused",
		permission: "settings:write",
		audit: ["webhook.test_sent"],
		params: pathIds("webhookId"),
		answers: { 201: deliverySchema },
	},
	({ ctx, params }) => sendTest(ctx, params.webhookId),
);
