import { autoJobBodySchema, runnerJobSchema } from "@tapedeck/contract/runner-protocol.ts";
import { route } from "#lib/http/route.ts";
import { createAutoJob } from "#lib/runners/create-auto-job.ts";

export const POST = route(
	{
		operationId: "reportRunnerJob",
		summary: "Report a job that a runner started itself",
		permission: "runner:act",
		audit: ["job.created"],
		body: autoJobBodySchema,
		answers: { 201: runnerJobSchema },
	},
	({ ctx, body }) => createAutoJob(ctx, body),
);
