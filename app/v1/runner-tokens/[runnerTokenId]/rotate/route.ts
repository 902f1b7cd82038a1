import { rotatedTokenSchema, rotateRunnerTokenQuerySchema } from "@tapedeck/contract/credential.ts";
import { rotateRunnerToken } from "#lib/auth/credentials/rotate-runner-token.ts";
import { pathIds, route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "rotateRunnerToken",
		summary: "Rotate a runner token; the old one keeps working for a grace period, and the new secret is shown once",
		permission: "runners:manage",
		audit: ["runner_token.rotated"],
		params: pathIds("runnerTokenId"),
		query: rotateRunnerTokenQuerySchema,
		answers: { 201: rotatedTokenSchema },
	},
	({ ctx, params, query }) => rotateRunnerToken(ctx, params.runnerTokenId, query.graceSeconds),
);
