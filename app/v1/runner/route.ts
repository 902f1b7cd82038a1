import { runnerCheckSchema } from "#lib/contract/runner-protocol.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "Whether this runner token is good, and what time it is here; nobody is signed in by it.",
		actors: ["runner"],
		answers: { 200: runnerCheckSchema },
	},
	async ({ ctx }) => ({
		status: 200,
		body: { organizationId: ctx.actor.organizationId, serverTime: new Date(ctx.clock.now()).toISOString() },
	}),
);
