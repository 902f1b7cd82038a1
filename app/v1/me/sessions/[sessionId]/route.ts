import * as z from "zod";
import { endSession } from "#lib/auth/account/sessions.ts";
import { pathId, route } from "#lib/http/route.ts";

export const DELETE = route(
	{
		operationId: "endSession",
		summary: "End one of your sessions",
		permission: "account:manage",
		audit: ["session.revoked"],
		params: z.object({ sessionId: pathId }),
		answers: { 204: null },
	},
	({ ctx, params }) => endSession(ctx, params.sessionId),
);
