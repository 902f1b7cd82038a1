import {
	apiKeyPageSchema,
	createApiKeyBodySchema,
	listCredentialsQuerySchema,
	newApiKeySchema,
} from "@tapedeck/contract/credential.ts";
import { createApiKey } from "#lib/auth/credentials/create-api-key.ts";
import { listApiKeys } from "#lib/auth/credentials/list-credentials.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listApiKeys",
		summary: "List API keys",
		permission: "organization:manage",
		query: listCredentialsQuerySchema,
		answers: { 200: apiKeyPageSchema },
	},
	({ ctx, query }) => listApiKeys(ctx, query),
);

export const POST = route(
	{
		operationId: "createApiKey",
		summary: "Create an API key; its secret is shown once",
		permission: "organization:manage",
		audit: ["api_key.created"],
		body: createApiKeyBodySchema,
		answers: { 201: newApiKeySchema },
	},
	({ ctx, body }) => createApiKey(ctx, body),
);
