import { createWebhookBodySchema, newWebhookSchema, webhookPageSchema } from "@tapedeck/contract/webhook.ts";
import { route } from "#lib/http/route.ts";
import { createWebhook, listWebhooks } from "#lib/webhooks/webhooks.ts";

export const GET = route(
	{
		operationId: "listWebhooks",
		summary: "List the webhooks",
		permission: "settings:write",
		answers: { 200: webhookPageSchema },
	},
	({ ctx }) => listWebhooks(ctx),
);

export const POST = route(
	{
		operationId: "createWebhook",
		summary: "Create a webhook; its signing secret is shown once",
		permission: "settings:write",
		audit: ["webhook.created"],
		body: createWebhookBodySchema,
		refusals: ["conflict"],
		answers: { 201: newWebhookSchema },
	},
	({ ctx, app, body }) => createWebhook(ctx, app.webhooks.isAllowed, body),
);
