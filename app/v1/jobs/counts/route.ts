import { countJobsQuerySchema, jobCountsSchema } from "@tapedeck/contract/job.ts";
import { route } from "#lib/http/route.ts";
import { countJobs } from "#lib/jobs/count-jobs.ts";

export const GET = route(
	{
		operationId: "countJobs",
		summary: "Count jobs by status and by outcome, at most 1,000 of each",
		permission: "jobs:read",
		query: countJobsQuerySchema,
		answers: { 200: jobCountsSchema },
	},
	({ ctx, query }) => countJobs(ctx, query),
);
