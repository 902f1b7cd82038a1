import { createApiKey } from "#lib/auth/create-api-key.ts";
import { listCredentials } from "#lib/auth/list-credentials.ts";
import {
	createCredentialBodySchema,
	credentialPageSchema,
	listCredentialsQuerySchema,
	newCredentialSchema,
} from "#lib/contract/organization.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "List the API keys",
		actors: ["user"],
		query: listCredentialsQuerySchema,
		answers: { 200: credentialPageSchema },
	},
	async ({ ctx, query }) => ({ status: 200, body: await listCredentials(ctx, "apiKey", query) }),
);

export const POST = route(
	{
		summary: "Make an API key; its secret is shown this once",
		actors: ["user"],
		body: createCredentialBodySchema,
		answers: { 201: newCredentialSchema },
	},
	async ({ ctx, body }) => ({ status: 201, body: await createApiKey(ctx, body) }),
);
