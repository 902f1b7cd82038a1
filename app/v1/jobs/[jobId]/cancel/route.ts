import { jobSchema } from "@tapedeck/contract/job.ts";
import { Answer, pathIds, route } from "#lib/http/route.ts";
import { cancelJob } from "#lib/jobs/cancel-job.ts";

export const POST = route(
	{
		operationId: "cancelJob",
		summary: "Cancel a job: 202 when this call stops it, 200 when it was already stopping or ended",
		permission: "jobs:write",
		audit: ["job.cancelled"],
		params: pathIds("jobId"),
		answers: { 202: jobSchema, 200: jobSchema },
	},
	async ({ ctx, params }) => {
		const { job, stopped } = await cancelJob(ctx, params.jobId);
		return new Answer(stopped ? 202 : 200, job);
	},
);
