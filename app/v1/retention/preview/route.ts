import { retentionBodySchema, retentionPreviewSchema } from "@tapedeck/contract/retention.ts";
import { route } from "#lib/http/route.ts";
import { previewRetention } from "#lib/recordings/space/retention.ts";

export const POST = route(
	{
		operationId: "previewRetention",
		summary: "Get what a retention policy would delete at once",
		permission: "settings:write",
		audit: { none: "It changes nothing." },
		body: retentionBodySchema,
		answers: { 200: retentionPreviewSchema },
	},
	({ ctx, body }) => previewRetention(ctx, body),
);
