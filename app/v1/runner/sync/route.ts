import { syncAnswerSchema, syncBodySchema } from "#lib/contract/runner-protocol.ts";
import { syncRunner } from "#lib/runners/sync-runner.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "A runner's long poll: it tells which jobs it has and gets what it lacks.",
		actors: ["runner"],
		audit: { none: "What a runner tells stands in its jobs' events." },
		body: syncBodySchema,
		answers: { 200: syncAnswerSchema },
	},
	async ({ ctx, app, body, signal }) => ({ status: 200, body: await syncRunner(ctx, app, body, signal) }),
);
