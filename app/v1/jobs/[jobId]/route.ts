import * as z from "zod";
import { changeJobBodySchema, jobSchema, readJobQuerySchema } from "#lib/contract/job.ts";
import { changeJob } from "#lib/jobs/change-job.ts";
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

export const PATCH = route(
	{
		operationId: "updateJob",
		summary: "Change a job's name, labels (merged; null removes one), outcome, keep policy or pin",
		permission: "jobs:write",
		audit: ["job.renamed", "job.changed", "recording.kept", "recording.pinned", "recording.unpinned"],
		params: z.object({ jobId: pathId }),
		body: changeJobBodySchema,
		answers: { 200: jobSchema },
	},
	async ({ ctx, params, body }) => ({ status: 200, body: await changeJob(ctx, params.jobId, body) }),
);
