import { newWebhookSchema } from "@tapedeck/contract/webhook.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { rotateWebhookSecret } from "#lib/webhooks/webhooks.ts";

export const POST = route(
	{
		operationId: "rotateWebhookSecret",
		summary: "Replace the signing secret; for a day, requests are signed with the old one as well",
		permission: "settings:write",
		audit: ["webhook.secret_rotated"],
		params: pathIds("webhookId"),
		answers: { 200: newWebhookSchema },
	},
	({ ctx, params }) => rotateWebhookSecret(ctx, params.webhookId),
);
