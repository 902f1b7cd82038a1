import {
	createRunnerTokenBodySchema,
	listCredentialsQuerySchema,
	newRunnerTokenSchema,
	runnerTokenPageSchema,
} from "@tapedeck/contract/credential.ts";
import { createRunnerToken } from "#lib/auth/credentials/create-runner-token.ts";
import { listRunnerTokens } from "#lib/auth/credentials/list-credentials.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listRunnerTokens",
		summary: "List runner tokens",
		permission: "organization:manage",
		query: listCredentialsQuerySchema,
		answers: { 200: runnerTokenPageSchema },
	},
	({ ctx, query }) => listRunnerTokens(ctx, query),
);

export const POST = route(
	{
		operationId: "createRunnerToken",
		summary: "Create a runner token; its secret is shown once",
		permission: "runners:manage",
		audit: ["runner_token.created"],
		body: createRunnerTokenBodySchema,
		answers: { 201: newRunnerTokenSchema },
	},
	({ ctx, body }) => createRunnerToken(ctx, body),
);
