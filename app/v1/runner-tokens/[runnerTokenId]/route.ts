import { revokeCredential } from "#lib/auth/credentials/revoke-credential.ts";
import { pathIds, route } from "#lib/http/route.ts";

export const DELETE = route(
	{
		operationId: "revokeRunnerToken",
		summary: "Revoke a runner token",
		permission: "organization:manage",
		audit: ["runner_token.revoked"],
		params: pathIds("runnerTokenId"),
		answers: { 204: null },
	},
	({ ctx, params }) => revokeCredential(ctx, "runnerToken", params.runnerTokenId),
);
