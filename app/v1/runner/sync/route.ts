import { syncAnswerSchema, syncBodySchema } from "@tapedeck/contract/runner-protocol.ts";
import { route } from "#lib/http/route.ts";
import { syncRunner } from "#lib/runners/long-poll.ts";

export const POST = route(
	{
		operationId: "syncRunner",
		summary: "Long poll of a runner: it lists its jobs and receives new ones",
		permission: "runner:act",
		measuredAs: "poll",
		audit: { none: "Recorded in the jobs' events." },
		body: syncBodySchema,
		answers: { 200: syncAnswerSchema },
	},
	({ ctx, app, body, signal }) => syncRunner(ctx, app, body, signal),
);
