import * as z from "zod";
import { revokeRunnerToken } from "#lib/auth/revoke-runner-token.ts";
import { pathId, route } from "#lib/server/route.ts";

export const DELETE = route(
	{
		summary: "Revoke a runner token",
		actors: ["user"],
		params: z.object({ runnerTokenId: pathId }),
		answers: { 204: null },
	},
	async ({ ctx, params }) => {
		await revokeRunnerToken(ctx, params.runnerTokenId);
		return { status: 204 };
	},
);
