import * as z from "zod";
import { jobEventPageSchema } from "#lib/contract/job.ts";
import { listJobEvents } from "#lib/jobs/list-job-events.ts";
import { pathId, route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "What happened to a job, in order.",
		scope: "jobs:read",
		params: z.object({ jobId: pathId }),
		answers: { 200: jobEventPageSchema },
	},
	async ({ ctx, params }) => ({ status: 200, body: await listJobEvents(ctx, params.jobId) }),
);
