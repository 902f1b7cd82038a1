import { JOB_KEY_HEADER, SESSION_HEADER, screenshotQuerySchema } from "@tapedeck/contract/runner-protocol.ts";
import { pathIds, STORAGE_REFUSALS } from "#lib/http/route-definition.ts";
import { headerOf, stream } from "#lib/http/stream.ts";
import { storeScreenshot } from "#lib/recordings/upload/store-screenshot.ts";

export const PUT = stream(
	{
		operationId: "sendJobScreenshot",
		summary: "Send the picture of a screenshot job (PNG), which ends the job",
		permission: "runner:act",
		audit: { none: "The job's creation is recorded." },
		fileBody: true,
		fileTypes: ["image/png"],
		params: pathIds("jobId"),
		query: screenshotQuerySchema,
		refusals: STORAGE_REFUSALS,
		answers: { 204: null },
	},
	async ({ ctx, params, query, req, res }) => {
		const [sessionId, jobKey] = [headerOf(req, SESSION_HEADER), headerOf(req, JOB_KEY_HEADER)];
		await storeScreenshot(ctx, { jobId: params.jobId, sessionId, jobKey, ...query, req });
		res.writeHead(204).end();
	},
);
