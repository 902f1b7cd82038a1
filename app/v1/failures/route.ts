import { failurePageSchema, listFailuresQuerySchema } from "@tapedeck/contract/failure.ts";
import { route } from "#lib/http/route.ts";
import { listFailures } from "#lib/recordings/failures.ts";

export const GET = route(
	{
		operationId: "listFailures",
		summary: "List what failed, the last first: by outcome, by verdict, or because its job failed",
		permission: "recordings:read",
		query: listFailuresQuerySchema,
		answers: { 200: failurePageSchema },
	},
	async ({ ctx, query }) => ({ status: 200, body: await listFailures(ctx, query) }),
);
