import { retentionBodySchema, retentionSchema } from "@tapedeck/contract/retention.ts";
import { route } from "#lib/http/route.ts";
import { getRetention, setRetention } from "#lib/recordings/space/retention.ts";

export const GET = route(
	{
		operationId: "getRetention",
		summary: "Get the retention policy and the recordings that are deleted next",
		permission: "recordings:read",
		answers: { 200: retentionSchema },
	},
	({ ctx }) => getRetention(ctx),
);

export const PUT = route(
	{
		operationId: "setRetention",
		summary: "Set the retention policy",
		permission: "settings:write",
		audit: ["retention.changed"],
		body: retentionBodySchema,
		answers: { 200: retentionSchema },
	},
	({ ctx, body }) => setRetention(ctx, body),
);
