import { retentionBodySchema, retentionSchema } from "#lib/contract/organization.ts";
import { assertMayAdminister } from "#lib/core/access.ts";
import { getRetention, setRetention } from "#lib/recordings/space/retention.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "Read how long recordings are kept, and which go next.",
		scope: "recordings:read",
		answers: { 200: retentionSchema },
	},
	async ({ ctx }) => ({ status: 200, body: await getRetention(ctx) }),
);

export const PUT = route(
	{
		summary: "Set how long recordings are kept.",
		actors: ["user"],
		audit: ["retention.changed"],
		authorize: assertMayAdminister,
		body: retentionBodySchema,
		answers: { 200: retentionSchema },
	},
	async ({ ctx, body }) => ({ status: 200, body: await setRetention(ctx, body) }),
);
