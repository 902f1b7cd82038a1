import { changeJobBodySchema, jobSchema, readJobQuerySchema } from "@tapedeck/contract/job.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { changeJob } from "#lib/jobs/change-job.ts";
import { readJob, waitForJob } from "#lib/jobs/read-job.ts";

export const GET = route(
	{
		operationId: "getJob",
		summary: "Get a job; with waitFor, as soon as it reaches that state or the timeout ends",
		permission: "jobs:read",
		params: pathIds("jobId"),
		query: readJobQuerySchema,
		answers: { 200: jobSchema },
	},
	async ({ ctx, app, params, query, signal }) => {
		const { waitFor, timeoutSeconds } = query;
		if (waitFor === undefined) return readJob(ctx, params.jobId);
		// It is held open, like a stream.
		const release = app.limits.open("streams", ctx);
		try {
			return await waitForJob(ctx, params.jobId, waitFor, timeoutSeconds * 1000, signal);
		} finally {
			release();
		}
	},
);

export const PATCH = route(
	{
		operationId: "updateJob",
		summary: "Change a job's name, labels (merged; null removes one), outcome, keep policy or pin",
		permission: "jobs:write",
		audit: ["job.renamed", "job.changed", "recording.kept", "recording.pinned", "recording.unpinned"],
		params: pathIds("jobId"),
		body: changeJobBodySchema,
		answers: { 200: jobSchema },
	},
	({ ctx, params, body }) => changeJob(ctx, params.jobId, body),
);
