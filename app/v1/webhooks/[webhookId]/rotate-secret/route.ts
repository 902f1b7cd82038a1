import { newWebhookSchema } from "@tapedeck/contract/webhook.ts";
import * as z from "zod";
import { pathId, route } from "#lib/http/route.ts";
import { rotateWebhookSecret } from "#lib/webhooks/webhooks.ts";

export const POST = route(
	{
		operationId: "rotateWebhookSecret",
		summary: "Replace the signing secret; for a day, requests are signed with the old one as well",
		permission: "settings:write",
		audit: ["webhook.secret_rotated"],
		params: z.object({ webhookId: pathId }),
		answers: { 200: newWebhookSchema },
	},
	({ ctx, params }) => rotateWebhookSecret(ctx, params.webhookId),
);
