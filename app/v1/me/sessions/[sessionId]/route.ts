import { endSession } from "#lib/auth/account/sessions.ts";
import { pathIds, route } from "#lib/http/route.ts";

export const DELETE = route(
	{
		operationId: "endSession",
		summary: "End one of your sessions",
		permission: "account:manage",
		audit: ["session.revoked"],
		params: pathIds("sessionId"),
		answers: { 204: null },
	},
	({ ctx, params }) => endSession(ctx, params.sessionId),
);
