import { idempotencyHeaders, locationHeader } from "@tapedeck/contract/headers.ts";
import { createJobBodySchema, jobPageSchema, jobSchema, listJobsQuerySchema } from "@tapedeck/contract/job.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import { Answer, route } from "#lib/http/route.ts";
import { createJob } from "#lib/jobs/create-job.ts";
import { listJobs } from "#lib/jobs/list-jobs.ts";

export const GET = route(
	{
		operationId: "listJobs",
		summary: "List jobs, newest first",
		permission: "jobs:read",
		query: listJobsQuerySchema,
		answers: { 200: jobPageSchema },
	},
	({ ctx, query }) => listJobs(ctx, query),
);

export const POST = route(
	{
		operationId: "createJob",
		summary: "Create a job: a runner records a display until the stop condition is met",
		permission: "jobs:write",
		audit: ["job.created"],
		body: createJobBodySchema,
		requestHeaders: idempotencyHeaders,
		answerHeaders: locationHeader,
		refusals: ["too_many_requests"],
		answers: { 201: jobSchema },
	},
	async ({ ctx, body, request }) => {
		const job = await createJob(ctx, body, idempotencyKeyOf(request));
		return new Answer(201, job, { location: `/v1/jobs/${job.id}` });
	},
);

function idempotencyKeyOf({ headers }: { headers: RequestHeaders }): string | null {
	const key = headers.get("idempotency-key");
	if (key !== null && !/^[\x20-\x7e]{1,200}$/.test(key)) {
		throw new TapedeckError("bad_request", "Send an Idempotency-Key of 1 to 200 visible ASCII characters, or none.");
	}
	return key;
}
