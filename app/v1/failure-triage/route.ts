import { lettingPassSchema, triageBodySchema, triageSchema } from "@tapedeck/contract/test-failure.ts";
import { route } from "#lib/http/route.ts";
import { assertQuotaLeft } from "#lib/recordings/space/storage-quota.ts";
import { listLettingPass } from "#lib/test-results/letting-pass.ts";
import { setTriage } from "#lib/test-results/triage.ts";

export const GET = route(
	{
		operationId: "listLettingPass",
		summary: "List the causes that let CI pass now, with who looks after them, why and until when",
		permission: "recordings:read",
		answers: { 200: lettingPassSchema },
	},
	({ ctx }) => listLettingPass(ctx),
);

export const PUT = route(
	{
		operationId: "setFailureTriage",
		summary: "Say who looks after the failures of a cause or a test, and mute them for a time",
		permission: "recordings:write",
		audit: { none: "A mute says by whom, why and until when; an assignment is shown with the failures." },
		body: triageBodySchema,
		refusals: ["quota_exceeded", "conflict"],
		answers: { 200: triageSchema },
	},
	async ({ ctx, body }) => {
		await assertQuotaLeft(ctx);
		return setTriage(ctx, body);
	},
);
