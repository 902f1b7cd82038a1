import * as z from "zod";
import { revokeCredential } from "#lib/auth/credentials/revoke-credential.ts";
import { pathId, route } from "#lib/http/route.ts";

export const DELETE = route(
	{
		operationId: "revokeApiKey",
		summary: "Revoke an API key",
		permission: "organization:manage",
		audit: ["api_key.revoked"],
		params: z.object({ apiKeyId: pathId }),
		answers: { 204: null },
	},
	({ ctx, params }) => revokeCredential(ctx, "apiKey", params.apiKeyId),
);
