import { changePrivacyBodySchema, privacySchema } from "@tapedeck/contract/privacy.ts";
import { pathIds, route } from "#lib/http/route.ts";
import { changePrivacy } from "#lib/jobs/change-privacy.ts";

export const POST = route(
	{
		operationId: "changePrivacy",
		summary:
			"Begin or end a private stretch of a job, which is black in its video; answered once it is effective, or after 10 s with privacy_unconfirmed",
		permission: "jobs:write",
		audit: ["job.privacy_started", "job.privacy_ended"],
		params: pathIds("jobId"),
		body: changePrivacyBodySchema,
		refusals: ["conflict", "privacy_unconfirmed"],
		answers: { 200: privacySchema },
	},
	({ ctx, params, body, signal }) => changePrivacy(ctx, params.jobId, body.on, signal),
);
