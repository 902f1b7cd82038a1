import { receivedReportsBodySchema, reportsAnswerSchema } from "#lib/contract/runner-protocol.ts";
import { receiveReports } from "#lib/runners/receive-reports.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "A runner tells of its displays and jobs, in order.",
		actors: ["runner"],
		audit: { none: "What a runner tells stands in its jobs' events." },
		body: receivedReportsBodySchema,
		answers: { 200: reportsAnswerSchema },
	},
	async ({ ctx, body }) => ({ status: 200, body: await receiveReports(ctx, body) }),
);
