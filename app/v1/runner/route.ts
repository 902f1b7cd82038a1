import { runnerCheckSchema } from "@tapedeck/contract/runner-protocol.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "checkRunnerToken",
		summary: "Check a runner token and get the server's time, without signing in",
		permission: "runner:act",
		answers: { 200: runnerCheckSchema },
	},
	async ({ ctx }) => ({
		organizationId: ctx.actor.organizationId,
		serverTime: new Date(ctx.clock.now()).toISOString(),
	}),
);
