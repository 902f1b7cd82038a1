import { changeWebhookBodySchema, webhookSchema } from "@tapedeck/contract/webhook.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { changeWebhook, deleteWebhook, readWebhook } from "#lib/webhooks/webhooks.ts";

const params = pathIds("webhookId");

export const GET = route(
	{
		operationId: "getWebhook",
		summary: "Get a webhook",
		permission: "settings:write",
		params,
		answers: { 200: webhookSchema },
	},
	({ ctx, params }) => readWebhook(ctx, params.webhookId),
);

export const PATCH = route(
	{
		operationId: "updateWebhook",
		summary: "Change a webhook, pause it or resume it; deliveries wait while it is paused",
		permission: "settings:write",
		audit: ["webhook.changed"],
		params,
		body: changeWebhookBodySchema,
		answers: { 200: webhookSchema },
	},
	async ({ ctx, app, params, body }) => {
		const webhook = await changeWebhook(ctx, app.webhooks.isAllowed, params.webhookId, body);
		app.events.publish({ type: "webhooks", organizationId: ctx.actor.organizationId });
		return webhook;
	},
);

export const DELETE = route(
	{
		operationId: "deleteWebhook",
		summary: "Delete a webhook and its deliveries",
		permission: "settings:write",
		audit: ["webhook.deleted"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => deleteWebhook(ctx, params.webhookId),
);
