import { failuresSeenBodySchema, failuresSeenSchema } from "@tapedeck/contract/failure.ts";
import { route } from "#lib/http/route.ts";
import { readFailuresSeen, setFailuresSeen } from "#lib/recordings/failures-seen.ts";

export const GET = route(
	{
		operationId: "getFailuresSeen",
		summary: "Get the time up to which you have seen what failed",
		permission: "account:manage",
		answers: { 200: failuresSeenSchema },
	},
	({ ctx }) => readFailuresSeen(ctx),
);

export const PUT = route(
	{
		operationId: "setFailuresSeen",
		summary: "Set the time up to which you have seen what failed, or the failures of one group, or forget it with null",
		permission: "account:manage",
		audit: { none: "Only concerns the caller." },
		body: failuresSeenBodySchema,
		answers: { 200: failuresSeenSchema },
	},
	({ ctx, body }) => setFailuresSeen(ctx, body),
);
