import { autoJobAnswerSchema, autoJobBodySchema } from "#lib/contract/runner-protocol.ts";
import { createAutoJob } from "#lib/runners/create-auto-job.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "A runner in auto-record mode tells of a job that it began by itself.",
		actors: ["runner"],
		audit: ["job.created"],
		body: autoJobBodySchema,
		answers: { 201: autoJobAnswerSchema },
	},
	async ({ ctx, body }) => ({ status: 201, body: await createAutoJob(ctx, body) }),
);
