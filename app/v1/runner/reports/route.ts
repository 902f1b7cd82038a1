import { receivedReportsBodySchema, reportsAnswerSchema } from "@tapedeck/contract/runner-protocol.ts";
import { route } from "#lib/http/route.ts";
import { receiveReports } from "#lib/runners/receive-reports.ts";

export const POST = route(
	{
		operationId: "sendReports",
		summary: "Report what happened to displays and jobs, in order",
		permission: "runner:act",
		audit: { none: "Recorded in the jobs' events." },
		body: receivedReportsBodySchema,
		answers: { 200: reportsAnswerSchema },
	},
	({ ctx, body }) => receiveReports(ctx, body),
);
