import { jobEventPageSchema } from "@tapedeck/contract/job.ts";
import { pageQuerySchema } from "@tapedeck/contract/page.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { listJobEvents } from "#lib/jobs/list-job-events.ts";

export const GET = route(
	{
		operationId: "listJobEvents",
		summary: "List the events of a job, in order",
		permission: "jobs:read",
		params: pathIds("jobId"),
		query: pageQuerySchema,
		answers: { 200: jobEventPageSchema },
	},
	({ ctx, params, query }) => listJobEvents(ctx, params.jobId, query),
);
