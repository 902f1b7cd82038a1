import * as z from "zod";
import { jobSchema, readJobQuerySchema } from "#lib/contract/job.ts";
import { readJob, waitForJob } from "#lib/jobs/read-job.ts";
import { pathId, route } from "#lib/server/route.ts";

export const GET = route(
	{
		operationId: "getJob",
		summary: "Get a job; with waitFor, as soon as it reaches that state or the timeout ends",
		permission: "jobs:read",
		params: z.object({ jobId: pathId }),
		query: readJobQuerySchema,
		answers: { 200: jobSchema },
	},
	async ({ ctx, params, query, signal }) => {
		const { waitFor, timeoutSeconds } = query;
		const job =
			waitFor === undefined
				? await readJob(ctx, params.jobId)
				: await waitForJob(ctx, params.jobId, waitFor, timeoutSeconds * 1000, signal);
		return { status: 200, body: job };
	},
);
