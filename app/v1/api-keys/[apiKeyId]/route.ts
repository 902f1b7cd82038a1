import { revokeCredential } from "#lib/auth/credentials/revoke-credential.ts";
import { pathIds, route } from "#lib/http/route.ts";

export const DELETE = route(
	{
		operationId: "revokeApiKey",
		summary: "Revoke an API key",
		permission: "organization:manage",
		audit: ["api_key.revoked"],
		params: pathIds("apiKeyId"),
		answers: { 204: null },
	},
	({ ctx, params }) => revokeCredential(ctx, "apiKey", params.apiKeyId),
);
