import * as z from "zod";
import { revokeApiKey } from "#lib/auth/revoke-api-key.ts";
import { pathId, route } from "#lib/server/route.ts";

export const DELETE = route(
	{
		summary: "Revoke an API key",
		actors: ["user"],
		params: z.object({ apiKeyId: pathId }),
		answers: { 204: null },
	},
	async ({ ctx, params }) => {
		await revokeApiKey(ctx, params.apiKeyId);
		return { status: 204 };
	},
);
