import { posterQuerySchema } from "@tapedeck/contract/recording.ts";
import { JOB_KEY_HEADER, SESSION_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { pathId, pathIds } from "#lib/http/route-definition.ts";
import { headerOf, stream } from "#lib/http/stream.ts";
import { storePoster } from "#lib/recordings/pictures/poster.ts";
import { uploadIdOfJob } from "#lib/recordings/upload/owner.ts";

export const PUT = stream(
	{
		operationId: "sendJobPoster",
		summary:
			"Replace the poster of a job's recording (JPEG, at most 1 MiB); at is its time in seconds, for the storyboard",
		permission: "runner:act",
		audit: { none: "A frame of a recording in progress." },
		params: pathIds("jobId"),
		query: posterQuerySchema,
		files: ({ params }) => {
			const id = pathId.safeParse(params.jobId);
			return id.success ? { uploadId: uploadIdOfJob(id.data) } : null;
		},
		answers: { 204: null },
	},
	async ({ ctx, params, query, req, res, body }) => {
		const [sessionId, jobKey] = [headerOf(req, SESSION_HEADER), headerOf(req, JOB_KEY_HEADER)];
		await storePoster(ctx, { jobId: params.jobId, jobKey, sessionId, at: query.at, body });
		res.writeHead(204).end();
	},
);
